import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { root } from "../commands/index.ts";

/**
 * Names of release 1.5's programs, with the command that replaces each; the programs that hooks run belong to the hook
 * program.
 */
const COMMAND_OF: Readonly<Record<string, string>> = {
  "chest-memory-setup": "setup",
  "chest-memory-install-hooks": "install-hooks",
  "chest-memory-install-skill": "install-skill",
  "chest-memory-import": "import",
  "chest-memory-stats": "stats",
  "chest-fetch-model": "fetch-model",
};

const folder = fileURLToPath(new URL(".", import.meta.url));
const manifest = JSON.parse(readFileSync(new URL("../../../mcp/package.json", import.meta.url), "utf8"));
const commands = Object.keys(root.subCommands ?? {});
const there = Object.keys(COMMAND_OF)
  .filter((name) => commands.includes(COMMAND_OF[name] ?? ""))
  .sort();

it("has a file and a program in the package for each old name with an existing command, and for no other", () => {
  const files = readdirSync(folder).filter((name) => !name.endsWith(".test.ts"));
  const programs = Object.keys(manifest.bin).filter((name) => name in COMMAND_OF);

  expect(files.map((name) => basename(name, ".ts")).sort()).toEqual(there);
  expect(programs.sort()).toEqual(there);
});

it.each(there)("%s runs its command", (name) => {
  expect(readFileSync(`${folder}/${name}.ts`, "utf8")).toContain(`start(["${COMMAND_OF[name]}", ...`);
  expect(manifest.bin[name]).toBe(`dist/${name}.js`);
});
