import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FIXTURE_ENV, fixtureModels } from "@chest/models/testing";
import { startChestIndex } from "../support/clients/embedding.ts";
import { seeded } from "../support/random.ts";
import type { Bench } from "./bench.ts";
import { bigStore } from "./big-store.ts";
import { atLeast, atMost, type Figure } from "./figures.ts";
import { recallEverywhereRequest } from "./memory-requests.ts";
import { cpuMsOf } from "./process-use.ts";
import { Load } from "./requests.ts";
import { percentile } from "./rounds.ts";
import { oneOf, readSections } from "./texts.ts";

const ROWS = 10_000;
const IDLE_QUESTIONS = 200;
const WARM_UP = 100;
/** Pause between two queries: a team's agents send about ten per second. */
const PAUSE_MS = 100;

/** Measures `pending-resync` draining a backlog with the fixture model, while a team sends queries. */
export const drain: Bench = async ({ workDir, startServer }) => {
  await mkdir(join(workDir, "data"));
  await copyFile(await bigStore(ROWS), join(workDir, "data", "chest.db"));
  const model = { ...FIXTURE_ENV, CHEST_MODELS_DIR: await fixtureModels() };
  const server = await startServer({ ...model, CHEST_SYNC_EMBED: "0", CHEST_AUTO_MAINTENANCE: "0" });
  const load = new Load(server, 1);
  const question = questions();
  const ask = async (count: number) => {
    const tookMs: number[] = [];
    for (let nth = 0; nth < count; nth++) {
      tookMs.push(...(await load.run([question()], { isPatient: true })).tookMs);
      await sleep(PAUSE_MS);
    }
    return tookMs;
  };
  try {
    await ask(WARM_UP);
    const idle = await ask(IDLE_QUESTIONS);
    const cpuBefore = cpuMsOf(server.pid);
    const startedAt = performance.now();
    const draining = startChestIndex("pending-resync --json", {
      ...model,
      CHEST_MODE: "remote",
      CHEST_REMOTE_URL: server.url,
      CHEST_API_TOKEN: server.token,
    });
    const meanwhile: number[] = [];
    while (draining.process.exitCode === null && draining.process.signalCode === null)
      meanwhile.push(...(await ask(1)));
    const seconds = (performance.now() - startedAt) / 1000;
    const { total_processed: done } = JSON.parse(draining.output()) as { total_processed: number };
    const rate = done / seconds;
    const slower = percentile(meanwhile, 95) / percentile(idle, 95);
    const drained: Figure = {
      name: `drained, ${done} memories`,
      unit: "/s",
      value: rate,
      cpuMs: (cpuMsOf(server.pid) - cpuBefore) / done,
      goal: atLeast(300, rate, "300/s"),
    };
    return [
      drained,
      {
        ...inMs("recall p95 meanwhile", meanwhile),
        floor: percentile(idle, 95),
        ratio: slower,
        goal: atMost(2, slower, "2 × idle"),
      },
      inMs("  floor: recall p95, idle", idle),
    ];
  } finally {
    await load.close();
    await server.stop();
  }
};

const inMs = (name: string, tookMs: readonly number[]): Figure => ({
  name,
  unit: "ms",
  value: percentile(tookMs, 95),
  p50Ms: percentile(tookMs, 50),
  p95Ms: percentile(tookMs, 95),
});

function questions() {
  const random = seeded(4);
  const sections = readSections();
  return () => {
    const words = oneOf(sections, random).text.split(/\s+/);
    return recallEverywhereRequest(Array.from({ length: 4 }, () => oneOf(words, random)).join(" "));
  };
}
