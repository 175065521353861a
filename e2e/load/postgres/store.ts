import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { SHARED, UNSTATED_CLIENT } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { localExecutor } from "@chest/core/pipeline";
import { type Engine, noEmbedder, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { startPostgres, type TestServer } from "@chest/store-postgres/testing";
import { startBackend } from "../../support/backend.ts";
import { inParallel } from "../../support/in-parallel.ts";
import { CHEST_INDEX, cleanEnv, NODE_24 } from "../../support/process.ts";
import { seeded } from "../../support/random.ts";
import { askForOne } from "../ask-for-one.ts";
import type { Bench } from "../bench.ts";
import { storeWithVectors } from "../curve/store.ts";
import { askedVector, IDENTITY } from "../curve/vectors.ts";
import { atLeast, atMost, type Figure } from "../figures.ts";
import { MatchFloor } from "../floors/match.ts";
import { openPostgresEngine } from "../libraries.ts";
import { recallRequest } from "../memory-requests.ts";
import { childrensCpuMs } from "../process-use.ts";
import { Load, type Request } from "../requests.ts";
import { cpuEach, percentile, perSecond, type Sample, spread } from "../rounds.ts";
import { endless, readSections } from "../texts.ts";
import { BareInsert } from "./bare-insert.ts";
import { databaseCpuMs } from "./database-use.ts";
import { RIG_ENV, RIG_TOKEN } from "./rig.ts";

const WRITES = 3000;
const ROUNDS = 3;
const RECALLS = 400;
const CORES = 2;

const start = () => startPostgres({ isDurable: true, settings: { shared_buffers: "1GB", max_wal_size: "4GB" } });

/** Measures writes to a PostgreSQL store by 8 and by 32 callers, without HTTP. */
export const postgresRemember: Bench = async () => {
  const server = await start();
  try {
    return await rememberFigures(server);
  } finally {
    await server.stop();
  }
};

/**
 * Moves a file into PostgreSQL, then measures recall in a project of twenty: without HTTP, and over HTTP with one
 * backend and with two.
 */
export const postgresRecall: Bench = async ({ rows, workDir }) => {
  const storeFile = await storeWithVectors(rows);
  const server = await start();
  try {
    const url = await server.database();
    const moved = await moveFigures(server, { storeFile, workDir, url, rows });
    const matcher = new MatchFloor(storeFile);
    const questions = (seed: number, withVector: boolean) => questionsOf(matcher, { rows, seed, withVector });
    const recalled = await recallFigures(server, url, questions);
    const shared = await sharedFigures(server, url, questions);
    matcher.close();
    return [...moved, ...recalled, ...shared];
  } finally {
    await server.stop();
  }
};

interface SampleWithDatabase extends Sample {
  /** Processor time of the database, over all its processes. */
  readonly databaseMs: number;
}

/** Runs calls by several callers, and counts the processor time of this process and of the database. */
async function timed<T>(
  server: TestServer,
  inputs: readonly T[],
  atOnce: number,
  work: (input: T) => Promise<unknown>,
): Promise<SampleWithDatabase> {
  const tookMs: number[] = [];
  const [cpuBefore, databaseBefore, startedAt] = [process.cpuUsage(), databaseCpuMs(server.pid), performance.now()];
  await inParallel([...inputs], atOnce, async (input) => {
    const begun = performance.now();
    await work(input);
    tookMs.push(performance.now() - begun);
  });
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  const databaseMs = databaseCpuMs(server.pid) - databaseBefore;
  return { requests: inputs.length, wallMs, cpuMs: (user + system) / 1000, databaseMs, tookMs };
}

const executorOver = (engine: Engine) =>
  localExecutor(TOOLS, engine, {
    ...{ clock: systemClock, embedders: () => noEmbedder, limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING },
  });

const callFrom = (project: string): Call => ({
  caller: { member: SHARED, scopes: new Set(["read", "write"]), project, client: UNSTATED_CLIENT },
  requestId: "bench",
  signal: new AbortController().signal,
});

async function rememberFigures(server: TestServer): Promise<Figure[]> {
  const engine = await openPostgresEngine({ url: await server.database(), active: IDENTITY });
  const executor = executorOver(engine);
  const bare = new BareInsert(await server.database());
  await bare.prepare();
  const section = endless(readSections());
  const remember = (nth: number) => {
    const { about, text } = section();
    const fact = { entity_name: about, entity_kind: "project", layer: "learning", content: text, force: true };
    return executor.execute("chest_remember", fact, callFrom(`bench/project-${nth % 20}`));
  };
  const some = (count: number) => Array.from({ length: count }, (_, nth) => nth);
  try {
    await timed(server, some(500), 8, remember);
    await timed(server, some(500), 8, () => bare.put(section().text));
    const figures: Figure[] = [];
    for (const [clients, goal] of [
      [8, 400],
      [32, 600],
    ] as const) {
      // Both take turns, so that a disturbance of the machine affects both.
      const [samples, floors]: [SampleWithDatabase[], SampleWithDatabase[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        floors.push(await timed(server, some(WRITES / ROUNDS), clients, () => bare.put(section().text)));
        samples.push(await timed(server, some(WRITES / ROUNDS), clients, remember));
      }
      const [sample, floor] = [joined(samples), joined(floors)];
      const rate = perSecond(sample);
      figures.push(
        {
          ...{ name: `remember at the store by ${clients}`, unit: "/s", value: rate, cpuMs: cpuEach(sample) },
          ...{ floor: perSecond(floor), ratio: perSecond(floor) / rate },
          ...spread([sample]),
          goal: atLeast(goal, rate, `${goal}/s`),
        },
        ...arithmetic(sample, floor, goal),
      );
    }
    return figures;
  } finally {
    await Promise.all([engine.close(), bare.close()]);
  }
}

const joined = (samples: readonly SampleWithDatabase[]): SampleWithDatabase => {
  const sum = (read: (sample: SampleWithDatabase) => number) => samples.reduce((all, sample) => all + read(sample), 0);
  return {
    ...{ requests: sum(({ requests }) => requests), wallMs: sum(({ wallMs }) => wallMs) },
    ...{ cpuMs: sum(({ cpuMs }) => cpuMs), databaseMs: sum(({ databaseMs }) => databaseMs) },
    tookMs: samples.flatMap(({ tookMs }) => tookMs),
  };
};

/** Processor time per call, of this process and of the database together. */
const bothEach = (sample: SampleWithDatabase): number => cpuEach(sample) + sample.databaseMs / sample.requests;

/** Computes the rate that fully available cores would reach, since other programs use this machine too. */
function arithmetic(sample: SampleWithDatabase, floor: SampleWithDatabase, goal: number): Figure[] {
  const rateOf = (of: SampleWithDatabase) => (1000 * CORES) / bothEach(of);
  const rate = rateOf(sample);
  return [
    { name: "  CPU of the database", unit: "ms", value: sample.databaseMs / sample.requests },
    {
      ...{ name: `  by CPU, of ${CORES} cores`, unit: "/s", value: rate },
      ...{ floor: rateOf(floor), ratio: rateOf(floor) / rate, goal: atLeast(goal, rate, `${goal}/s`) },
    },
  ];
}

interface MoveOptions {
  readonly storeFile: string;
  readonly workDir: string;
  readonly url: string;
  readonly rows: number;
}

async function moveFigures(server: TestServer, { storeFile, workDir, url, rows }: MoveOptions): Promise<Figure[]> {
  await copyFile(storeFile, join(workDir, "chest.db"), constants.COPYFILE_FICLONE);
  const [cpuBefore, databaseBefore, startedAt] = [childrensCpuMs(), databaseCpuMs(server.pid), performance.now()];
  const child = spawn(NODE_24, [CHEST_INDEX, "migrate-store", "--to", url], {
    env: cleanEnv({ CHEST_DATA_DIR: workDir, CHEST_MODE: "local" }),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the store was not moved: ${code}`);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = (childrensCpuMs() - cpuBefore) / rows;
  const databaseMs = (databaseCpuMs(server.pid) - databaseBefore) / rows;
  // The command and the database take turns.
  const rate = 1000 / (cpuMs + databaseMs);
  return [
    {
      ...{ name: `migrate-store, ${rows} memories with vectors, compared`, unit: "/s", value: rows / seconds, cpuMs },
      goal: atLeast(1000, rows / seconds, "1000/s"),
    },
    { name: "  CPU of the database", unit: "ms", value: databaseMs },
    { name: "  by CPU, one after the other", unit: "/s", value: rate, goal: atLeast(1000, rate, "1000/s") },
  ];
}

type Questions = (seed: number, withVector: boolean) => Request[];

function questionsOf(
  store: MatchFloor,
  { rows, seed, withVector }: { readonly rows: number; readonly seed: number; readonly withVector: boolean },
): Request[] {
  const random = seeded(seed);
  return Array.from({ length: RECALLS }, () => {
    const { id, query, project } = askForOne(rows, store, random);
    const request = recallRequest(query, project);
    const vector = withVector ? { query_embedding: askedVector(id, random) } : {};
    return { ...request, body: { ...(request.body as object), ...vector } };
  });
}

async function recallFigures(server: TestServer, url: string, questions: Questions): Promise<Figure[]> {
  const engine = await openPostgresEngine({ url, active: IDENTITY });
  const executor = executorOver(engine);
  const recall = ({ body, headers }: Request) =>
    executor.execute("chest_recall", body, callFrom(decodeURIComponent(headers?.["x-chest-project"] ?? "")));
  try {
    const figures: Figure[] = [];
    for (const withVector of [false, true]) {
      await timed(server, questions(8, withVector), 1, recall);
      const sample = await timed(server, questions(7, withVector), 1, recall);
      const [p50Ms, p95Ms] = [percentile(sample.tookMs, 50), percentile(sample.tookMs, 95)];
      figures.push(
        {
          ...{
            name: `recall in a project, ${withVector ? "words and vectors" : "words"}: p50`,
            unit: "ms",
            value: p50Ms,
          },
          ...{ cpuMs: cpuEach(sample), p50Ms, p95Ms, goal: atMost(20, p50Ms, "20 ms") },
        },
        { name: "  p95", unit: "ms", value: p95Ms, goal: atMost(60, p95Ms, "60 ms") },
        { name: "  CPU of the database", unit: "ms", value: sample.databaseMs / sample.requests },
      );
    }
    return figures;
  } finally {
    await engine.close();
  }
}

/**
 * Measures one backend with eight clients, then two backends with four each; where the database has capacity left, a
 * second backend raises the rate.
 */
async function sharedFigures(server: TestServer, url: string, questions: Questions): Promise<Figure[]> {
  const env = { ...RIG_ENV, CHEST_DATABASE_URL: url };
  const backends = await Promise.all([0, 1].map(() => startBackend({ token: RIG_TOKEN, env })));
  const ask = async (count: number, seed: number) => {
    const matcher = backends.slice(0, count);
    const loads = matcher.map((backend) => new Load({ ...backend, pid: backend.process.pid ?? 0 }, 8 / count));
    const before = databaseCpuMs(server.pid);
    const samples = await Promise.all(loads.map((load, nth) => load.run(questions(seed + nth, true))));
    const databaseMs = databaseCpuMs(server.pid) - before;
    await Promise.all(loads.map((load) => load.close()));
    const requests = RECALLS * count;
    const cpuMs = samples.reduce((sum, sample) => sum + sample.cpuMs, 0) / requests;
    return { cpuMs, databaseMs: databaseMs / requests };
  };
  try {
    await ask(2, 20);
    const [one, two] = [await ask(1, 30), await ask(2, 40)];
    const gain = (2 * one.cpuMs) / two.cpuMs;
    return [
      { name: "recall over HTTP, one backend: CPU", unit: "ms", value: one.cpuMs },
      { name: "  two backends: CPU", unit: "ms", value: two.cpuMs },
      { name: "  CPU of the database for each, one and two", unit: "ms", value: two.databaseMs, floor: one.databaseMs },
      { name: "  two against one, by CPU", unit: "", value: gain, goal: atLeast(1.7, gain, "1.7") },
    ];
  } finally {
    await Promise.all(backends.map((backend) => backend.stop()));
  }
}
