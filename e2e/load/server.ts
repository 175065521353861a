import { join } from "node:path";
import { startBackend } from "../support/backend.ts";
import { ROOT } from "../support/process.ts";
import type { Target } from "./requests.ts";

export interface BenchServer extends Target {
  stop(): Promise<void>;
}

// Scheduled work would be measured together with the requests that run at the same time.
const NO_OWN_WORK = { CHEST_AUTO_MAINTENANCE: "0", CHEST_BACKUP_INTERVAL_HOURS: "0" };
/** Settings of a backend that does nothing but answer a benchmark. */
export const SETTINGS = {
  CHEST_RATE_LIMIT: "0",
  CHEST_RATE_LIMIT_WRITES: "0",
  CHEST_SEARCH_THREADS: "1",
  ...NO_OWN_WORK,
};

/** Folder in which `npm start` makes Node keep compiled code. */
export const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, "node_modules/.chest/compile-cache") };

/** Starts the backend as shipped, except for rate limits and scheduled work, and with one search thread. */
export async function startBenchServer(
  workDir: string,
  env: NodeJS.ProcessEnv = {},
  profileDir?: string,
): Promise<BenchServer> {
  const profiling = profileDir && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileDir}` };
  const dataDir = join(workDir, "data");
  const { url, token, process, stop } = await startBackend({
    dataDir,
    env: { ...SETTINGS, ...COMPILED, ...profiling, ...env },
  });
  if (process.pid === undefined) throw new Error("a backend that answers has a process");
  return { url, token, pid: process.pid, stop };
}
