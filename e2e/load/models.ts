import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type EmbeddingSpec, KNOWN_EMBEDDERS } from "@chest/models";
import { FIXTURE_EMBEDDER, FIXTURE_ENV, fixtureModels } from "@chest/models/testing";
import { cleanEnv, NODE_24 } from "../support/process.ts";
import type { Bench, BenchTools } from "./bench.ts";
import type { Figure } from "./figures.ts";
import type { ModelUse } from "./models-program.ts";
import { median, percentile } from "./rounds.ts";

const PROGRAM = join(import.meta.dirname, "models-program.ts");
const FIXTURE_TEXTS = 2000;
const REAL_TEXTS = 50;

/** What a model costs: texts, processor time, memory; and that a start does not wait for it. */
export const models: Bench = async (tools) => {
  const fixtures = await fixtureModels();
  const figures = await useOf(FIXTURE_EMBEDDER, fixtures, FIXTURE_TEXTS);
  const own =
    process.env.CHEST_MODELS_DIR ?? join(process.env.CHEST_DATA_DIR ?? join(homedir(), ".chest-memory"), "models");
  for (const spec of KNOWN_EMBEDDERS.filter(({ id, files }) =>
    files.every(({ path }) => existsSync(join(own, id, path))),
  )) {
    figures.push(...(await useOf(spec, own, REAL_TEXTS)));
  }
  return [...figures, ...(await starts(tools, fixtures))];
};

/** In a process of its own, so that its memory is that of a model and no more. */
async function useOf(spec: EmbeddingSpec, modelsDir: string, texts: number): Promise<Figure[]> {
  const args = [PROGRAM, JSON.stringify({ spec, modelsDir, texts })];
  const { stdout } = await promisify(execFile)(NODE_24, args, { env: cleanEnv({}) });
  const { wallMs, cpuMs, loadMs, bareMb, loadedMb, unloadedMb }: ModelUse = JSON.parse(stdout);
  return [
    {
      name: `${spec.id}: ${texts} texts of 40 to 120 words`,
      value: (1000 * texts) / wallMs,
      unit: "/s",
      cpuMs: cpuMs / texts,
    },
    { name: "  its load, the first text included", value: loadMs, unit: "ms" },
    { name: "  memory without it", value: bareMb, unit: "MB" },
    { name: "  memory with it, after those texts", value: loadedMb, unit: "MB" },
    { name: "  memory once it is unloaded", value: unloadedMb, unit: "MB" },
  ];
}

/** A backend with a model in its cache, and one without: how soon each answers `/healthz`. */
async function starts({ rounds, startServer }: BenchTools, fixtures: string): Promise<Figure[]> {
  const without: number[] = [];
  const withModel: number[] = [];
  const started = async (env: NodeJS.ProcessEnv) => {
    const startedAt = performance.now();
    const server = await startServer(env);
    const tookMs = performance.now() - startedAt;
    await server.stop();
    return tookMs;
  };
  for (let round = 0; round < rounds; round++) {
    without.push(await started({ CHEST_SYNC_EMBED: "0", CHEST_AUTO_MAINTENANCE: "0" }));
    withModel.push(await started({ ...FIXTURE_ENV, CHEST_MODELS_DIR: fixtures }));
  }
  const ratio = median(withModel.map((ms, round) => ms / (without[round] ?? Number.NaN)));
  return [
    {
      ...{ name: "backend with a model in its cache: /healthz", value: median(withModel), unit: "ms" },
      ...{ floor: median(without), ratio, goal: { text: "≤ × 1.1", isMet: ratio <= 1.1 } },
      ...{ p50Ms: percentile(withModel, 50), p95Ms: percentile(withModel, 95) },
    },
    { name: "  floor: a backend that embeds nothing", value: median(without), unit: "ms" },
  ];
}
