import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { cleanEnv, HEAP_FLAGS, NODE_24, ROOT, startProgram, waitUntilReady } from "../../support/process.ts";
import type { Bench } from "../bench.ts";
import { atMost, type Figure } from "../figures.ts";
import { median, percentile } from "../rounds.ts";

const LAUNCHER = join(ROOT, "deploy/local/run.mjs");
const SERVER = join(ROOT, "apps/server/dist/quickstart.js");
const FIRST_START_MS = 180_000;

/** Measures the time of `npm start` until the backend answers, when everything is installed and built. */
export const start: Bench = async ({ rounds, workDir }) => {
  const dataDir = join(workDir, "start");
  await startOnce([LAUNCHER, "start"], dataDir); // This start builds anything that is missing.
  const launched: number[] = [];
  const direct: number[] = [];
  for (let round = 0; round < rounds; round++) {
    launched.push(await startOnce([LAUNCHER, "start"], dataDir));
    direct.push(await startOnce([...HEAP_FLAGS, SERVER], dataDir));
  }
  const tookMs = median(launched);
  const figure: Figure = {
    name: "npm start, from the second on: /healthz",
    value: tookMs,
    unit: "ms",
    floor: median(direct),
    ratio: median(launched.map((ms, round) => ms / (direct[round] ?? Number.NaN))),
    goal: atMost(3000, tookMs, "3 s"),
    p50Ms: percentile(launched, 50),
    p95Ms: percentile(launched, 95),
  };
  return [figure, { name: "  floor: the server by itself", value: median(direct), unit: "ms" }];
};

async function startOnce(args: readonly string[], dataDir: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const program = startProgram(NODE_24, args, cleanEnv({ CHEST_DATA_DIR: dataDir, CHEST_PORT: String(port) }));
  try {
    await waitUntilReady(program, () => isHealthy(`http://127.0.0.1:${port}/healthz`), { timeoutMs: FIRST_START_MS });
    return performance.now() - startedAt;
  } finally {
    await program.end("SIGTERM");
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false; // The backend is not listening yet.
  }
}
