import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RELEASE } from "@chest/runtime";
import { afterAll, expect, it } from "vitest";
import { ownName, typedHere } from "./invocation-name.ts";

const bin = mkdtempSync(join(tmpdir(), "chest-bin-"));
const NODE = join(bin, "node-24");
writeFileSync(NODE, "");
writeFileSync(join(bin, "chest-index"), "#!/bin/sh\n", { mode: 0o755 });
afterAll(() => rmSync(bin, { recursive: true }));

it.each([
  ["it is on the path", bin, "/c/dist/chest-index.js", "chest-index"],
  ["it was started by its file", "/nowhere", "/c/dist/chest-index.js", `${NODE} /c/dist/chest-index.js`],
  ["by an alias", "/nowhere", "/my c/chest-memory-setup.js", `${NODE} '/my c/chest-index.js'`],
  [
    "by a package runner",
    "/h/.npm/_npx/1/node_modules/.bin",
    "/h/.npm/_npx/1/node_modules/.bin/chest-index",
    `npx --yes --package chest-memory@${RELEASE} chest-index`,
  ],
  ["from elsewhere", "/nowhere", "/c/vitest.mjs", "chest-index"],
])("is called as it can be typed: %s", (_, PATH, script, name) => {
  expect(ownName({ PATH }, script, NODE)).toBe(name);
});

it("stands in every command of a hint, and in nothing else", () => {
  const hint = "`chest-index backup --list`; A=1 chest-index status; /bin/chest-index status; chest-index.js";
  expect(typedHere(hint, "$& x")).toBe(
    "`$& x backup --list`; A=1 $& x status; /bin/chest-index status; chest-index.js",
  );
  const inside = "`docker compose exec chest chest-index status`";
  expect(typedHere(inside, "x")).toBe(inside);
});
