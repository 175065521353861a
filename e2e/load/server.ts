import { join } from "node:path";
import { startBackend } from "../support/backend.ts";
import { ROOT } from "../support/process.ts";
import type { Target } from "./requests.ts";

export interface BenchServer extends Target {
  stop(): Promise<void>;
}

// Its own hourly and daily work would be counted among the requests that happen to run beside it.
const NO_OWN_WORK = { CHEST_AUTO_MAINTENANCE: "0", CHEST_BACKUP_INTERVAL_HOURS: "0" };
/** Settings of a backend that does nothing but answer a bench. */
export const SETTINGS = {
  CHEST_RATE_LIMIT: "0",
  CHEST_RATE_LIMIT_WRITES: "0",
  CHEST_SEARCH_THREADS: "1",
  ...NO_OWN_WORK,
};

/** Folder in which `npm start` has Node keep compiled code. */
export const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, "node_modules/.chest/compile-cache") };

/** The backend as it is delivered, but for rate limits, with one thread that searches and nothing to do of its own. */
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
