import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, SHARED, UNSTATED_CLIENT } from "@chest/core/access";
import type { Engine, Filter, Hit } from "@chest/core/ports";
import { seeded } from "../../support/random.ts";
import type { Bench, BenchTools } from "../bench.ts";
import { atLeast, atMost, type Figure } from "../figures.ts";
import { openBareScan, openSqliteEngine } from "../libraries.ts";
import { recallEverywhereRequest } from "../memory-requests.ts";
import { residentMbOf } from "../process-use.ts";
import { Load, type Request } from "../requests.ts";
import { cpuEach, interleaved, median, medianRatio, perSecond, type Sample, spread, wallEach } from "../rounds.ts";
import { Clusters } from "./clusters.ts";
import { exactNearest } from "./exact.ts";
import { IDENTITY, projectOf, vectorStore } from "./store.ts";

const QUESTIONS = 100;
const WARM_UP = 20;
/** Number of queries whose exact nearest vectors are computed too, at a microsecond per vector. */
const EXACT_QUESTIONS = 20;
/** Number of rows that a recall requests from each leg. */
const WANTED = 200;
const ASKED_PROJECT = 3;
const LANES = 4;

type Ask = (vector: Float32Array) => Promise<readonly Hit[] | undefined>;

/**
 * Measures the search for the nearest vectors in one project of twenty and over everything: its speed, its misses, and
 * its memory.
 */
export const vectors: Bench = async (tools) => {
  const { rows, rounds } = tools;
  const path = await vectorStore(rows);
  const questions = questionsLike(QUESTIONS + WARM_UP);
  const scan = openBareScan(rows, IDENTITY.dimensions);
  const { figures, exact } = await withEngine(path, 2, async ({ everywhere, inProject, loadedMs, one }) => {
    for (const vector of questions.slice(0, WARM_UP)) await Promise.all([everywhere(vector), inProject(vector)]);
    const turn = (round: number) => questions.filter((_, at) => at >= WARM_UP && at % rounds === round);
    const samples = await interleaved(rounds, {
      scoped: (round) => timed(turn(round), 1, inProject),
      all: (round) => timed(turn(round), 1, everywhere),
      scan: (round) => timed(turn(round), 1, async () => scan()),
      together: (round) => timed(turn(round), LANES, everywhere),
      alone: (round) => timed(turn(round), LANES, one.everywhere),
    });
    const some = questions.slice(0, EXACT_QUESTIONS);
    const exact = [
      shareFound(
        `  of the ten nearest it finds, everywhere`,
        await answers(some, everywhere),
        exactNearest(path, some, 10),
      ),
      shareFound(
        `  of the ten nearest it finds, in a project`,
        await answers(some, inProject),
        exactNearest(path, some, 10, `p${ASKED_PROJECT}`),
      ),
    ];
    return { figures: figuresOf(samples, rows, loadedMs), exact };
  });
  return [...figures, ...exact, await resident(path, questions, tools)];
};

/** Generates further vectors of the same clusters. */
function questionsLike(count: number): Float32Array[] {
  const clusters = new Clusters(IDENTITY.dimensions);
  const random = seeded(3);
  return Array.from({ length: count }, () => clusters.vector(random));
}

interface VectorQuery {
  readonly everywhere: Ask;
  readonly inProject: Ask;
  readonly loadedMs: number;
  /** Opens an engine on the same store, with one search thread. */
  readonly one: { readonly everywhere: Ask };
}

async function withEngine<T>(
  path: string,
  searchThreads: number,
  work: (query: VectorQuery) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const open = (threads: number) => openSqliteEngine({ path, searchThreads: threads, searchTimeoutMs: 60_000 });
  const engine = await open(searchThreads);
  try {
    const everywhere = asking(engine, undefined);
    await untilLoaded(everywhere);
    const loadedMs = performance.now() - startedAt;
    const single = await open(1);
    try {
      const one = { everywhere: asking(single, undefined) };
      await untilLoaded(one.everywhere);
      return await work({ everywhere, inProject: asking(engine, projectOf(ASKED_PROJECT)), loadedMs, one });
    } finally {
      await single.close();
    }
  } finally {
    await engine.close();
  }
}

function asking(engine: Engine, project: string | undefined): Ask {
  const caller: Caller = { member: SHARED, scopes: new Set(["read"]), project, client: UNSTATED_CLIENT };
  const { search } = engine.as({ caller, requestId: "bench", signal: new AbortController().signal });
  const where: Filter = { reach: "here", withArchived: false, withSuperseded: false };
  return (vector) => search.matchVector(vector, IDENTITY, where, WANTED);
}

async function untilLoaded(ask: Ask): Promise<void> {
  const [vector] = questionsLike(1);
  while (vector && !(await ask(vector))) await sleep(100);
}

async function timed(
  questions: readonly Float32Array[],
  lanes: number,
  ask: (vector: Float32Array) => Promise<unknown>,
) {
  const queue = questions.values();
  const tookMs: number[] = [];
  const lane = async () => {
    for (const vector of queue) {
      const startedAt = performance.now();
      await ask(vector);
      tookMs.push(performance.now() - startedAt);
    }
  };
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: lanes }, lane));
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { requests: questions.length, wallMs, cpuMs: (user + system) / 1000, tookMs } satisfies Sample;
}

async function answers(questions: readonly Float32Array[], ask: Ask): Promise<number[][]> {
  const found: number[][] = [];
  for (const vector of questions) found.push(((await ask(vector)) ?? []).slice(0, 10).map(({ id }) => id));
  return found;
}

function shareFound(name: string, found: readonly number[][], exact: readonly number[][]): Figure {
  const hits = exact.flatMap((ids, at) => ids.filter((id) => found[at]?.includes(id))).length;
  const share = (100 * hits) / exact.flat().length;
  return { name, unit: "%", value: share, goal: atLeast(99, share, "99 %") };
}

type Samples = Record<"scoped" | "all" | "scan" | "together" | "alone", Sample[]>;

function figuresOf({ scoped, all, scan, together, alone }: Samples, rows: number, loadedMs: number): Figure[] {
  const floor = median(scan.map(wallEach));
  const faster = medianRatio(together.length, at(together, perSecond), at(alone, perSecond));
  return [
    inMs(`vectors in a project, ${rows} memories`, scoped),
    {
      ...inMs(`vectors everywhere, ${rows} memories`, all),
      floor,
      ratio: medianRatio(all.length, at(all, wallEach), at(scan, wallEach)),
    },
    inMs("  floor: bare scan of everything", scan),
    {
      name: "  everywhere, two threads at once",
      unit: "/s",
      value: median(together.map(perSecond)),
      floor: median(alone.map(perSecond)),
      ratio: faster,
      goal: atLeast(1.6, faster, "1.6 × one thread"),
      cpuMs: median(together.map(cpuEach)),
      ...spread(together),
    },
    { name: "  index loaded after the start", unit: "ms", value: loadedMs },
  ];
}

const at = (samples: readonly Sample[], measure: (sample: Sample) => number) => (round: number) =>
  measure(samples[round] as Sample);

const inMs = (name: string, samples: Sample[]): Figure & { readonly unit: "ms" } => ({
  name,
  unit: "ms",
  value: median(samples.map(wallEach)),
  cpuMs: median(samples.map(cpuEach)),
  ...spread(samples),
});

/** Measures the resident memory of a backend with a loaded index, after some recalls over everything. */
async function resident(
  path: string,
  questions: readonly Float32Array[],
  { startServer }: BenchTools,
): Promise<Figure> {
  const server = await startServer({ CHEST_DB_PATH: path, CHEST_SEARCH_THREADS: "2" });
  const load = new Load(server, 1);
  try {
    const requests = questions.map((vector) => {
      const { path, headers, body } = recallEverywhereRequest("memory");
      const query_embedding = { vector: Buffer.from(vector.buffer).toString("base64"), model: IDENTITY.model };
      return { path, ...(headers ? { headers } : {}), body: { ...(body as object), query_embedding } };
    });
    const [first] = requests;
    const isWhole = async (request: Request) => !("degraded" in ((await load.send(request)) as object));
    // While the index loads, a small machine may have no time for an answer at all.
    while (first && !(await isWhole(first).catch(() => false))) await sleep(500);
    await load.run(requests);
    const value = residentMbOf(server.pid);
    return {
      name: "  backend with its index loaded, after recalls",
      unit: "MB",
      value,
      goal: atMost(900, value, "900 MB"),
    };
  } finally {
    await load.close();
    await server.stop();
  }
}
