import { join } from "node:path";
import { startBackend } from "../support/backend.ts";
import type { Target } from "./requests.ts";

export interface BenchServer extends Target {
  stop(): Promise<void>;
}

const SETTINGS = { CHEST_RATE_LIMIT: "0", CHEST_RATE_LIMIT_WRITES: "0", CHEST_SEARCH_THREADS: "1" };

/** The backend as it is delivered, but for rate limits, with one thread that searches. */
export async function startBenchServer(
  workDir: string,
  env: NodeJS.ProcessEnv = {},
  profileDir?: string,
): Promise<BenchServer> {
  const profiling = profileDir && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileDir}` };
  const dataDir = join(workDir, "data");
  const { url, token, process, stop } = await startBackend({ dataDir, env: { ...SETTINGS, ...profiling, ...env } });
  if (process.pid === undefined) throw new Error("a backend that answers has a process");
  return { url, token, pid: process.pid, stop };
}
