import { spawnSync } from "node:child_process";
import type { StdioClient } from "../../support/clients/stdio-client.ts";
import type { Document } from "../eval-set.ts";

/** Another memory server, installed from its package in a folder that is removed afterwards. */
export interface Rival {
  /** Name and version. */
  readonly name: string;
  /** Opens an empty store. */
  open(): Promise<RivalStore>;
}

export interface RivalStore {
  storeAll(documents: readonly Document[]): Promise<void>;
  /** Ways of asking it by name; each gives the keys of documents, the best first. */
  readonly ways: Readonly<Record<string, (question: string) => Promise<readonly string[]>>>;
  close(): Promise<void>;
}

/** Installs a rival below a folder; prints why it cannot be had, and gives undefined then. */
export type FetchRival = (workDir: string) => Promise<Rival | undefined>;

/** Calls a tool and gives the text of its answer; throws where the tool reports an error. */
export async function callTool({ client }: StdioClient, name: string, input: Record<string, unknown>): Promise<string> {
  const { isError, content } = await client.callTool({ name, arguments: input });
  const [first] = content as readonly { readonly text?: string }[];
  if (isError) throw new Error(`${name}: ${first?.text?.slice(0, 300)}`);
  return first?.text ?? "";
}

/** Commands that install a rival, each a program with its arguments. */
export type Steps = readonly (readonly [string, ...string[]])[];

/** Runs commands one after the other; gives the reason where one fails, and ends there. */
export function reasonOfFailure(steps: Steps): string | undefined {
  for (const [command, ...args] of steps) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
    if (status !== 0) return (error?.message ?? stderr).trim().split("\n").at(-1) ?? `${command} failed`;
  }
  return undefined;
}

/** Prints why a package cannot be had. */
export function missing(name: string, why: string): undefined {
  console.error(`chest: no rival beside it, \`${name}\` cannot be had: ${why}`);
}
