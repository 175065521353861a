import { isRecord } from "./settings-files/jsonc.ts";

const NATIVE = ["mcp", "servers"];
const LEGACY = ["mcp"];

/**
 * Places of OpenCode's servers: `mcp.servers` is that of its second release, `mcp` that of the first, which the second
 * reads as well. A file that has the first form alone keeps it.
 */
export function opencodeTables({ mcp }: Readonly<Record<string, unknown>>): readonly (readonly string[])[] {
  // A server of the first form could have that name; it says what it is.
  const hasNative = isRecord(mcp) && isRecord(mcp.servers) && typeof mcp.servers.type !== "string";
  return hasNative ? [NATIVE, LEGACY] : [LEGACY];
}

/** Translates between an agent's own form of an entry and `command`, `args`, `env`, `url`, `headers`. */
export interface EntryForm {
  read(entry: unknown): unknown;
  write(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

/** OpenCode has the program and its arguments in one list, and calls the environment by its whole name. */
export const OPENCODE_ENTRY: EntryForm = {
  read(entry) {
    if (!isRecord(entry)) return entry;
    const { type: _, command, environment, ...others } = entry;
    if (!Array.isArray(command)) return others;
    const [program, ...args] = command;
    return { ...others, command: program, args, env: environment };
  },
  write({ command, args, env, ...others }) {
    return { type: "local", command: [command, ...(Array.isArray(args) ? args : [])], environment: env, ...others };
  },
};
