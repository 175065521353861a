import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { bigStore } from "./big-store.ts";
import { atMost } from "./figures.ts";
import { contextRequest } from "./memory-requests.ts";
import { Load } from "./requests.ts";
import { cpuEach, interleaved, median, spread, wallEach } from "./rounds.ts";

const ROWS = 10_000;
const PROJECT = "bench/project-0";
const REQUESTS = 20;
const MOST_CPU_MS = 30;
const TASK = "change how a file is read and tested";

/** Measures a briefing of a project with ten thousand memories, with a task and without. */
export const briefing: Bench = async ({ rounds, workDir, startServer }) => {
  await mkdir(join(workDir, "data"));
  await copyFile(await bigStore(ROWS, 1), join(workDir, "data", "chest.db"));
  const server = await startServer();
  const load = new Load(server, 1);
  const ask = (task: string | undefined) =>
    load.run(Array.from({ length: REQUESTS }, () => contextRequest(PROJECT, task)));
  try {
    for (const task of [undefined, TASK]) await ask(task);
    const samples = await interleaved(rounds, { plain: () => ask(undefined), task: () => ask(TASK) });
    return (["plain", "task"] as const).map((kind) => {
      const cpuMs = median(samples[kind].map(cpuEach));
      const goal = atMost(MOST_CPU_MS, cpuMs, `${MOST_CPU_MS} ms CPU`);
      const name = `briefing ${kind === "task" ? "for a task" : "without a task"}, ${ROWS} memories`;
      return { name, unit: "ms", value: median(samples[kind].map(wallEach)), cpuMs, ...spread(samples[kind]), goal };
    });
  } finally {
    await load.close();
    await server.stop();
  }
};
