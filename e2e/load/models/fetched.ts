import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type EmbeddingSpec, KNOWN_EMBEDDERS } from "@chest/models";
import { FIXTURE_EMBEDDER, FIXTURE_ENV, fixtureModels } from "@chest/models/testing";
import { cleanEnv, NODE_24 } from "../../support/process.ts";
import type { Bench, BenchTools } from "../bench.ts";
import type { Figure } from "../figures.ts";
import { cpuMsOf } from "../process-use.ts";
import { median, medianRatio, percentile } from "../rounds.ts";
import { endless, readSections } from "../texts.ts";
import type { ModelUse } from "./program.ts";

const PROGRAM = join(import.meta.dirname, "models-program.ts");
const FIXTURE_TEXTS = 2000;
const REAL_TEXTS = 50;

/** Measures a model: texts per second, processor time and memory; and shows that a start does not wait for it. */
export const models: Bench = async (tools) => {
  const fixtures = await fixtureModels();
  const textsFile = join(tools.workDir, "texts.json");
  const texts = Array.from({ length: FIXTURE_TEXTS }, endless(readSections())).map(({ text }) => text);
  await writeFile(textsFile, JSON.stringify(texts));
  const figures = await useOf(FIXTURE_EMBEDDER, fixtures, { textsFile, count: FIXTURE_TEXTS });
  const own =
    process.env.CHEST_MODELS_DIR ?? join(process.env.CHEST_DATA_DIR ?? join(homedir(), ".chest-memory"), "models");
  for (const spec of KNOWN_EMBEDDERS.filter(({ id, files }) =>
    files.every(({ path }) => existsSync(join(own, id, path))),
  )) {
    figures.push(...(await useOf(spec, own, { textsFile, count: REAL_TEXTS })));
  }
  return [...figures, ...(await starts(tools, fixtures))];
};

interface Texts {
  readonly textsFile: string;
  readonly count: number;
}

/** Runs in a separate process, so that its memory is only that of the model. */
async function useOf(spec: EmbeddingSpec, modelsDir: string, texts: Texts): Promise<Figure[]> {
  const { count } = texts;
  const args = [PROGRAM, JSON.stringify({ spec, modelsDir, ...texts })];
  const { stdout } = await promisify(execFile)(NODE_24, args, { env: cleanEnv({}) });
  const { wallMs, cpuMs, loadMs, bareMb, loadedMb, unloadedMb }: ModelUse = JSON.parse(stdout);
  return [
    {
      name: `${spec.id}: ${count} texts of 40 to 120 words`,
      value: (1000 * count) / wallMs,
      unit: "/s",
      cpuMs: cpuMs / count,
    },
    { name: "  its load, the first text included", value: loadMs, unit: "ms" },
    { name: "  memory without it", value: bareMb, unit: "MB" },
    { name: "  memory with it, after those texts", value: loadedMb, unit: "MB" },
    { name: "  memory once it is unloaded", value: unloadedMb, unit: "MB" },
  ];
}

/** Measures how soon a backend answers `/healthz`, with a model in its cache and without. */
async function starts({ rounds, startServer }: BenchTools, fixtures: string): Promise<Figure[]> {
  const without: Started[] = [];
  const withModel: Started[] = [];
  const started = async (env: NodeJS.ProcessEnv): Promise<Started> => {
    const startedAt = performance.now();
    const server = await startServer(env);
    const figures = { tookMs: performance.now() - startedAt, cpuMs: cpuMsOf(server.pid) };
    await server.stop();
    return figures;
  };
  for (let round = 0; round < rounds; round++) {
    without.push(await started({ CHEST_SYNC_EMBED: "0", CHEST_AUTO_MAINTENANCE: "0" }));
    withModel.push(await started({ ...FIXTURE_ENV, CHEST_MODELS_DIR: fixtures }));
  }
  const took = (all: readonly Started[]) => all.map(({ tookMs }) => tookMs);
  const cpu = (all: readonly Started[]) => median(all.map(({ cpuMs }) => cpuMs));
  const of = (all: readonly Started[]) => (round: number) => took(all)[round] ?? Number.NaN;
  const ratio = medianRatio(rounds, of(withModel), of(without));
  return [
    {
      name: "backend with a model in its cache: /healthz",
      value: median(took(withModel)),
      unit: "ms",
      floor: median(took(without)),
      ratio,
      cpuMs: cpu(withModel),
      // Processor time is not affected by other work on the machine.
      goal: { text: "CPU ≤ × 1.1", isMet: cpu(withModel) <= 1.1 * cpu(without) },
      p50Ms: percentile(took(withModel), 50),
      p95Ms: percentile(took(withModel), 95),
    },
    { name: "  floor: a backend that embeds nothing", value: median(took(without)), unit: "ms", cpuMs: cpu(without) },
  ];
}

interface Started {
  readonly tookMs: number;
  /** Measures the processor time of the backend from its start to its answer. */
  readonly cpuMs: number;
}
