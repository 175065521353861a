import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddingSpec, openEmbedder } from "@chest/models";
import { residentMbOf } from "../process-use.ts";

/** Measures the cost of embedding some texts in this process. */
export interface ModelUse {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly loadMs: number;
  readonly bareMb: number;
  readonly loadedMb: number;
  readonly unloadedMb: number;
}

const BATCH = 200;
const SETTLE_MS = 500;

async function use(spec: EmbeddingSpec, modelsDir: string, texts: readonly string[]): Promise<ModelUse> {
  const never = new AbortController().signal;
  const bareMb = residentMbOf(process.pid);
  const embedder = openEmbedder(spec, { modelsDir });
  const loadedAt = performance.now();
  if (!(await embedder.embedPassages(["the first"], never))) throw new Error(`${spec.id} gives no vectors`);
  const loadMs = performance.now() - loadedAt;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  for (let at = 0; at < texts.length; at += BATCH) {
    if (!(await embedder.embedPassages(texts.slice(at, at + BATCH), never))) throw new Error(`${spec.id} gave up`);
  }
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  const loadedMb = residentMbOf(process.pid);
  await embedder.close();
  await sleep(SETTLE_MS);
  return { wallMs, cpuMs: (user + system) / 1000, loadMs, bareMb, loadedMb, unloadedMb: residentMbOf(process.pid) };
}

const { spec, modelsDir, textsFile, count } = JSON.parse(process.argv[2] ?? "{}");
const texts: readonly string[] = JSON.parse(readFileSync(textsFile, "utf8"));
console.log(JSON.stringify(await use(spec, modelsDir, texts.slice(0, count))));
