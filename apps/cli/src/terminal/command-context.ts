import type { Env } from "@chest/runtime";
import type { OwnName } from "@chest/runtime/own-name";
import { type ArgsDef, type CommandDef, defineCommand, type ParsedArgs } from "citty";
import type { Output } from "./output.ts";

/** Context of a command beside its arguments. */
export interface Shell {
  readonly env: Env;
  readonly output: Output;
  /** Name of this command line, for printed commands. */
  readonly name: OwnName;
}

/** 0 done, 1 done in part or with warnings, 2 failed. */
export type ExitCode = 0 | 1 | 2;

/** Arguments of every command. */
export const COMMON = {
  json: { type: "boolean", description: "Print one JSON document on stdout" },
  quiet: { type: "boolean", description: "Print nothing: the exit code tells" },
  verbose: { type: "boolean", description: "Show problems in detail" },
  help: { type: "boolean", description: "Show this help" },
} as const satisfies ArgsDef;

/** Argument of commands that can open a database. */
export const DATABASE = {
  type: "string",
  description: "Act on this database, whatever CHEST_DATABASE_URL says; its password: CHEST_DATABASE_PASSWORD",
  valueHint: "url",
} as const satisfies ArgsDef[string];

/** Arguments that name the user's project. */
export const PROJECT = {
  project: { type: "string", description: "Key of a project, or `*` for all you may open", valueHint: "key" },
} as const satisfies ArgsDef;
export const PROJECT_HERE = {
  project: { type: "string", description: "Key of a project; the one of this folder by default", valueHint: "key" },
} as const satisfies ArgsDef;

/** Arguments of commands that can call a backend. */
export const REACH = {
  "remote-url": { type: "string", description: "Act on this backend, whatever CHEST_MODE says", valueHint: "url" },
  "token-file": { type: "string", description: "File that holds its token", valueHint: "file" },
} as const satisfies ArgsDef;

/** Defines a command that only has others below it. */
export const commandGroup = (written: Required<Pick<CommandDef, "meta" | "subCommands">>): CommandDef<typeof COMMON> =>
  defineCommand({ ...written, args: COMMON });

interface Written<Own extends ArgsDef, All extends ArgsDef> {
  readonly meta: { readonly name: string; readonly description: string };
  /** Arguments of this command alone. */
  readonly args?: Own;
  /** Exits with 0, unless it returns another code. */
  run(args: ParsedArgs<Own & All>, shell: Shell): Promise<ExitCode> | Promise<void>;
}

/** Defines a command that works on this machine. */
export const ownCommand = <const A extends ArgsDef>(written: Written<A, typeof COMMON>) => defined(written, COMMON);

/** Defines a command that can call a backend. */
export const reachingCommand = <const A extends ArgsDef>(written: Written<A, typeof COMMON & typeof REACH>) =>
  defined(written, { ...COMMON, ...REACH });

function defined<Own extends ArgsDef, All extends ArgsDef>(
  { meta, args, run }: Written<Own, All>,
  common: All,
): CommandDef<Own & All> {
  return defineCommand({
    meta,
    args: { ...args, ...common } as Own & All,
    run: ({ args, data }) => run(args, data as Shell),
  }) as CommandDef<Own & All>;
}
