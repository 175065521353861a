import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { ArgsDef, CommandDef } from "citty";
import { describe, expect, it } from "vitest";
import { inOwnWords } from "../terminal/usage.ts";
import { root } from "./index.ts";

const REPOSITORY = join(import.meta.dirname, "../../../..");
const WHERE = [
  "{packages,apps}/*/src/**/*.ts",
  "docs/**/*.md",
  "{README,SECURITY}.md",
  "deploy/**/*",
  "prisma/**/*.sql",
];

/** A command quoted in a file: its words up to the end of the quotation, sentence or line. */
interface Named {
  readonly words: readonly string[];
  readonly at: string;
}

const TYPED = /(?<![\w/.-])chest-index((?: (?:--?)?(?:[\w./:=@*~<>[\]-]|\$\{[^}]*\}|…)+)+)/g;
// The doctor wraps its advice for a container or a service, so the source contains only the arguments.
const ADVISED = /(?:index|offline)Command\(\w+, (.*)\)/g;

function namedIn(file: string): Named[] {
  const text = readFileSync(file, "utf8");
  const typed = [...text.matchAll(TYPED)].map(([, rest = ""]) => rest);
  const advised = [...text.matchAll(ADVISED)].flatMap(([, words = ""]) =>
    [...words.matchAll(/["`]([^"`]+)["`]/g)].map(([, rest = ""]) => rest),
  );
  return [...typed, ...advised].map((rest) => ({
    // The `--` after `npm run` separates npm's arguments from the command's.
    words: rest
      .trim()
      .replace(/^-- ?/, "")
      .split(/ (?![^{]*\})/)
      .filter((word) => word !== ""),
    at: relative(REPOSITORY, file),
  }));
}

const resolved = async <T>(value: T | Promise<T> | (() => T | Promise<T>) | undefined): Promise<T | undefined> =>
  typeof value === "function" ? await (value as () => T | Promise<T>)() : await value;

/** Describes the fault of a quoted command, if any. */
async function fault({ words }: Named): Promise<string | undefined> {
  let command: CommandDef = root;
  const args: ArgsDef = { ...(await resolved(root.args)) };
  let isArgument = false;
  // The ellipsis stands for arguments that the user typed before.
  if (words[0] === "…") return undefined;
  for (const word of inOwnWords(words)) {
    if (word.startsWith("-")) {
      const name = word.replace(/^--?(?:no-)?/, "").replace(/=.*/, "");
      const names = Object.entries(args).flatMap(([key, arg]) => [
        key,
        ...[("alias" in arg && arg.alias) || []].flat(),
      ]);
      if (!["help", "version", "h", "v"].includes(name) && !names.includes(name)) return `has no \`${word}\``;
      continue;
    }
    const below = await resolved(command.subCommands);
    if (isArgument || below === undefined || !/^[a-z][a-z-]*$/.test(word)) {
      isArgument = true;
      continue;
    }
    const next = await resolved(below[word]);
    if (!next) return `has no command \`${word}\``;
    command = next as CommandDef;
    Object.assign(args, await resolved(command.args));
  }
  return undefined;
}

const files = globSync(WHERE, { cwd: REPOSITORY })
  .filter((file) => /\.\w+$/.test(file) && !/generated|\.test\.ts$|node_modules/.test(file))
  .map((file) => join(REPOSITORY, file));

describe("a command that is quoted in a file", () => {
  it("exists, with the options that it is quoted with", async () => {
    const named = files.flatMap(namedIn);
    expect(named.length).toBeGreaterThan(100);
    expect(named.map(({ words }) => words.join(" "))).toContain("fts rebuild");
    const faults = [];
    for (const each of named) {
      const said = await fault(each);
      if (said) faults.push(`${each.at}: chest-index ${each.words.join(" ")} ${said}`);
    }
    expect(faults).toEqual([]);
  });

  it.each(["frobnicate", "outbox wipe", "backup --frobnicate"])("would be reported: %s", async (line) => {
    expect(await fault({ words: line.split(" "), at: "here" })).toMatch(/^has no /);
  });
});
