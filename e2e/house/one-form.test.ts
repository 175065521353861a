import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/process.ts";

const DOCS = join(ROOT, "docs");
const PAGES = readdirSync(DOCS).filter((name) => name.endsWith(".md"));
const textOf = (name: string): string => readFileSync(join(DOCS, name), "utf8");
const HOW = "setup.md#the-command";
/** A log of what was typed and printed in a clone. */
const LOG = "first-minutes.md";

it("writes `chest-index` in one form, and another one only with instructions to install it", () => {
  const others = /npm run (?:-s )?chest-index|npx [^`\n]*chest-index/;
  expect(PAGES.filter((name) => name !== "setup.md" && name !== LOG && others.test(textOf(name)))).toEqual([]);
  const [before = "", after = ""] = textOf("setup.md").split("\n## The command\n");
  expect(after).toMatch(others);
  expect(before).not.toMatch(others);
  expect(after.slice(after.indexOf("\n## "))).not.toMatch(others);
});

it("says on every page with a command how to install it", () => {
  const showing = PAGES.filter((name) =>
    [...textOf(name).matchAll(/```sh(?: [\w-]+)?\n([\s\S]*?)```/g)].some(([, block]) =>
      /^chest-index /m.test(block ?? ""),
    ),
  );
  expect(showing.length).toBeGreaterThan(10);
  expect(showing.filter((name) => name !== "setup.md" && !textOf(name).includes(HOW))).toEqual([]);
});
