import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const pairs = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name, title]) => [name, title]);

it("offers every agent that setup knows, under its title", () => {
  const known = pairs(read("../../../cli/src/agents/clients.ts"), /^ +name: "(.+)",\n +title: "(.+)",$/gm);
  expect(known.length).toBeGreaterThan(10);
  const offered = pairs(read("./connect.tsx"), /^ {2}\["(.+)", "(.+)"\],$/gm);
  expect(offered.sort()).toEqual(known.sort());
});
