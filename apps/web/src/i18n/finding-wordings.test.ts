import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { en } from "./en.ts";
import { ja } from "./ja.ts";
import { ko } from "./ko.ts";
import { zh } from "./zh.ts";

const SOURCE = new URL("../../../../packages/core/src/doctor/judge-host.ts", import.meta.url);

it.each(Object.entries({ en, ja, ko, zh }))("has a sentence for every judgement on a backend in %s", (_, messages) => {
  const codes = [...readFileSync(SOURCE, "utf8").matchAll(/"([a-z]+\.[a-z]+)"/g)].map(([, code = ""]) => code);
  expect(codes.length).toBeGreaterThan(20);
  expect(Object.keys(messages.health.finding).sort()).toEqual([...new Set(codes)].sort());
});
