import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { bigStore } from "./big-store.ts";
import { atMost, type Figure } from "./figures.ts";
import { viewRequest } from "./memory-requests.ts";
import { Load } from "./requests.ts";
import { cpuEach, interleaved, median, type Sample, spread, wallEach } from "./rounds.ts";

const VIEWS = [
  "recent",
  "important",
  "timeline",
  "archived",
  "contradictions",
  "duplicates",
  "flagged",
  "stale",
  "tags",
  "categories",
  "tiers",
  "stats",
  "conversations",
  "triggers",
] as const;
/** Each project holds 5,000 of the store's 100,000 memories. */
const PROJECTS = 20;
const PROJECT = "bench/project-3";
const REQUESTS = 20;
const MOST_CPU_MS = 20;

/** Measures every view that reads many memories, in one project of twenty. */
export const views: Bench = async ({ rounds, rows, workDir, startServer }) => {
  await mkdir(join(workDir, "data"));
  await copyFile(await bigStore(rows, PROJECTS), join(workDir, "data", "chest.db"));
  const server = await startServer();
  const load = new Load(server, 1);
  const ask = (view: string) => load.run(Array.from({ length: REQUESTS }, () => viewRequest(view, PROJECT)));
  try {
    for (const view of VIEWS) await ask(view);
    const turns = Object.fromEntries(VIEWS.map((view) => [view, () => ask(view)])) as Record<
      (typeof VIEWS)[number],
      () => Promise<Sample>
    >;
    const samples = await interleaved(rounds, turns);
    return VIEWS.map((view) => figureOf(`view ${view} of a project, ${rows} memories`, samples[view]));
  } finally {
    await load.close();
    await server.stop();
  }
};

function figureOf(name: string, samples: Sample[]): Figure {
  const cpuMs = median(samples.map(cpuEach));
  const goal = atMost(MOST_CPU_MS, cpuMs, `${MOST_CPU_MS} ms CPU`);
  return { name, unit: "ms", value: median(samples.map(wallEach)), cpuMs, ...spread(samples), goal };
}
