import type { ArgsDef, CommandDef } from "citty";
import { expect, it } from "vitest";
import { root } from "../commands/index.ts";
import { REACH } from "./command-context.ts";
import { keepReach, TAKES_REACH } from "./reach-flags.ts";

const resolved = async <T>(value: T | Promise<T> | (() => T | Promise<T>) | undefined): Promise<T | undefined> =>
  typeof value === "function" ? (value as () => T | Promise<T>)() : value;

async function reaching(command: CommandDef, path: readonly string[]): Promise<string[]> {
  const args: ArgsDef = (await resolved(command.args)) ?? {};
  const children = Object.entries((await resolved(command.subCommands)) ?? {});
  const below = await Promise.all(
    children.map(async ([name, child]) => reaching((await resolved(child)) as CommandDef, [...path, name])),
  );
  const isReaching = Object.keys(REACH).every((flag) => Object.hasOwn(args, flag));
  return [...(isReaching ? [path.join(" ")] : []), ...below.flat()];
}

it("are kept in commands that accept them, and in no other", async () => {
  expect((await reaching(root, [])).sort()).toEqual([...TAKES_REACH].sort());
  const keeps = keepReach(["status", "--remote-url=http://h:1", "--token-file", "t"]);
  expect(keeps(["doctor", "client"])).toEqual([
    ["--remote-url", "http://h:1"],
    ["--token-file", "t"],
  ]);
  expect(keeps(["setup"])).toEqual([]);
  expect(keepReach(["status"])(["doctor", "client"])).toEqual([]);
});
