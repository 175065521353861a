import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startBackend } from "../../support/backend.ts";
import { type BenchServer, SETTINGS } from "../server.ts";
import { Absent } from "./contest.ts";

/** A built checkout and the programs that its users run. */
export interface Side {
  readonly name: string;
  readonly root: string;
  readonly node: string;
  readonly heapFlags: readonly string[];
}

// Newest path first; older commits have one of the later paths.
const SERVERS = ["apps/server/dist/chest-server.js", "apps/server/src/main.ts"];
const HOOKS = ["apps/mcp/dist/chest-hook.mjs"];
const CLIENTS = ["apps/mcp/dist/chest-memory.js"];

/** Reads from a checkout's own launcher how its programs are started. */
export async function sideAt(root: string, name: string): Promise<Side> {
  const own = (file: string) => import(pathToFileURL(join(root, "deploy/local", file)).href);
  const [{ NODE_24 }, { HEAP_FLAGS }] = await Promise.all([own("paths.mjs"), own("heap.mjs")]);
  return { name, root, node: NODE_24, heapFlags: HEAP_FLAGS };
}

export const hookOf = (side: Side): string => program(side, "hook", HOOKS);
export const clientOf = (side: Side): string => program(side, "stdio client", CLIENTS);

function program({ name, root }: Side, kind: string, files: readonly string[]): string {
  const file = files.map((each) => join(root, each)).find(existsSync);
  if (file === undefined) throw new Absent(`${name} has no ${kind}`);
  return file;
}

interface Start {
  /** Data folder; a new one by default. */
  readonly dataDir?: string;
  readonly pollMs?: number;
  /** True to run scheduled work as well, as in a normal start. */
  readonly isDelivered?: boolean;
  /** True to search by words only, without embedding. */
  readonly isWordsAlone?: boolean;
}

/** Starts the backend like its launcher, with the default model and the compile cache. */
export async function startSide(side: Side, workDir: string, start: Start = {}): Promise<BenchServer> {
  const { pollMs, isDelivered = false, isWordsAlone = false } = start;
  const dataDir = start.dataDir ?? (await mkdtemp(join(workDir, "store-")));
  const { url, token, process, stop } = await startBackend({
    dataDir,
    program: { command: side.node, args: [...side.heapFlags, program(side, "backend", SERVERS)] },
    ...(pollMs !== undefined && { pollMs }),
    env: {
      ...(isDelivered ? {} : SETTINGS),
      NODE_COMPILE_CACHE: join(side.root, "node_modules/.chest/compile-cache"),
      CHEST_EMBED_MODEL: isWordsAlone ? "none" : undefined,
    },
  });
  if (process.pid === undefined) throw new Error("a backend that answers has a process");
  return { url, token, pid: process.pid, stop };
}
