import { homedir } from "node:os";
import { parse, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { RootsListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const ASK_MS = 2_000;
const KEPT_MS = 60_000;

/** The folders that an agent has open, by what its client says of them; asked when needed, and kept for a minute. */
export function agentRoots(server: Server, now: () => number = () => performance.now()) {
  let asked: { readonly roots: Promise<readonly string[]>; readonly until: number } | undefined;
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    asked = undefined;
  });
  return async (): Promise<readonly string[]> => {
    if (!server.getClientCapabilities()?.roots) return [];
    if (!asked || asked.until <= now()) asked = { roots: ask(server), until: now() + KEPT_MS };
    return asked.roots;
  };
}

async function ask(server: Server): Promise<readonly string[]> {
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ASK_MS });
    return roots.flatMap(({ uri }) => folderOf(uri));
  } catch {
    return []; // A client that offers roots and does not say which has the others left.
  }
}

function folderOf(uri: string): string[] {
  try {
    return uri.startsWith("file:") ? [fileURLToPath(uri)] : [];
  } catch {
    return []; // Of another machine.
  }
}

/**
 * Chooses the readable folders: the agent's and the configured ones, or, where neither names any, the working
 * directory. A home folder or the root of a file system is too wide to be meant by being there.
 */
export function workspaceRoots(
  agent: readonly string[],
  named: readonly string[] | "none",
  cwd: string,
  home = homedir(),
): readonly string[] {
  if (named === "none") return [];
  if (agent.length + named.length > 0) return [...agent, ...named];
  const here = resolve(cwd);
  return here === resolve(home) || here === parse(here).root ? [] : [here];
}
