import { setTimeout as sleep } from "node:timers/promises";
import { seeded } from "../../support/random.ts";
import { askForOne } from "../ask-for-one.ts";
import type { MatchFloor } from "../floors/match.ts";
import { recallEverywhereRequest, recallRequest, rememberRequest } from "../memory-requests.ts";
import { atRest, cpuMsOf, residentMbOf } from "../process-use.ts";
import { Load, Overloaded, type Request, type Target } from "../requests.ts";
import { percentile } from "../rounds.ts";
import { endless, readSections } from "../texts.ts";
import type { Cell } from "./cells.ts";
import { askedVector } from "./vectors.ts";

/** Figures of one cell of the curve. */
export interface Measured {
  readonly recalls: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Processor time of the backend per recall, without that of the writer. */
  readonly cpuMs: number;
  /** Share of the answers, from 0 to 1, that report a missing search leg. */
  readonly degraded: number;
  /** Number of recalls refused because the backend was overloaded; no other figure includes them. */
  readonly refused: number;
  readonly writesPerSecond: number;
  readonly healthP95Ms: number;
  readonly residentMb: number;
}

const [QUESTIONS_BEFORE, QUESTIONS] = [1000, 400];
const WRITES_EVERY_MS = 50;
const HEALTH_EVERY_MS = 100;
const REFUSED_PAUSE_MS = 100;

/** Queries of a cell. Those in `before` warm the backend up. */
export interface Questions {
  readonly before: readonly Request[];
  readonly measured: readonly Request[];
}

/** Builds the queries before the measurement starts. */
export const questionsOf = (cell: Cell, store: MatchFloor): Questions => ({
  before: someOf(cell, store, 8, QUESTIONS_BEFORE),
  measured: someOf(cell, store, 7, QUESTIONS),
});

function someOf({ rows, scope, leg }: Cell, store: MatchFloor, seed: number, count: number): Request[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    const { id, query, project } = askForOne(rows, store, random);
    const request = scope === "project" ? recallRequest(query, project) : recallEverywhereRequest(query);
    const vector = leg === "hybrid" ? { query_embedding: askedVector(id, random) } : {};
    return { ...request, body: { ...(request.body as object), ...vector } };
  });
}

/**
 * Measures a cell: after a warm-up, each client sends one query after another for the given time, while 20 memories per
 * second are stored.
 */
export async function measureCell(
  target: Target,
  { clients, leg }: Cell,
  { before, measured }: Questions,
  seconds: number,
) {
  const load = new Load(target, clients);
  const aside = new Load(target, 4);
  const tookMs: number[] = [];
  let [degraded, refused] = [0, 0];
  const ask = async (question: Request) => {
    const startedAt = performance.now();
    const answer = (await orRefused(load.send(question))) as { degraded?: readonly { leg: string }[] } | undefined;
    if (!answer) {
      refused += 1;
      await sleep(REFUSED_PAUSE_MS);
      return;
    }
    tookMs.push(performance.now() - startedAt);
    if (answer.degraded?.some((missing) => leg === "hybrid" || missing.leg === "words")) degraded += 1;
  };
  try {
    await Promise.all(lanes(clients, before, ask, { times: before.length }));
    tookMs.length = 0;
    [degraded, refused] = [0, 0];
    // Each thread reads ahead after its first query; that time must not count as the writer's.
    await atRest(target.pid);
    const alone = await withWriter(aside, target, () => sleep(2000));
    const busy = await withWriter(aside, target, () => Promise.all(lanes(clients, measured, ask, { seconds })));
    const writerCpu = (alone.cpuMs / alone.wallMs) * busy.wallMs;
    return {
      recalls: tookMs.length,
      perSecond: (1000 * tookMs.length) / busy.wallMs,
      p50Ms: percentile(tookMs, 50),
      p95Ms: percentile(tookMs, 95),
      p99Ms: percentile(tookMs, 99),
      cpuMs: Math.max(0, busy.cpuMs - writerCpu) / Math.max(1, tookMs.length),
      refused,
      degraded: degraded / Math.max(1, tookMs.length),
      writesPerSecond: (1000 * busy.writes) / busy.wallMs,
      healthP95Ms: percentile(busy.healthMs, 95),
      residentMb: residentMbOf(target.pid),
    } satisfies Measured;
  } finally {
    await Promise.all([load.close(), aside.close()]);
  }
}

/** Resolves to undefined when the backend refused the request because of overload. */
async function orRefused(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Overloaded) return undefined;
    throw error;
  }
}

function lanes(
  clients: number,
  questions: readonly Request[],
  ask: (question: Request) => Promise<void>,
  { seconds = Number.POSITIVE_INFINITY, times = Number.POSITIVE_INFINITY },
): Promise<void>[] {
  const until = performance.now() + 1000 * seconds;
  let next = 0;
  const lane = async () => {
    while (next < times && performance.now() < until) await ask(questions[next++ % questions.length] as Request);
  };
  return Array.from({ length: clients }, lane);
}

/** Stores at a steady rate and requests `/healthz`, until the work is done. */
async function withWriter(aside: Load, target: Target, work: () => Promise<unknown>) {
  const next = endless(readSections());
  const healthMs: number[] = [];
  const pending = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let writes = 0;
  const write = () => {
    const stored = orRefused(aside.send(rememberRequest(next()))).then(
      (answer) => {
        if (answer) writes += 1;
      },
      (error) => failures.push(error),
    );
    pending.add(stored.finally(() => pending.delete(stored)));
  };
  const health = async () => {
    const startedAt = performance.now();
    const answer = await fetch(`${target.url}/healthz`);
    await answer.body?.cancel();
    healthMs.push(performance.now() - startedAt);
  };
  const [cpuBefore, startedAt] = [cpuMsOf(target.pid), performance.now()];
  const timers = [
    setInterval(write, WRITES_EVERY_MS),
    setInterval(() => void health().catch(() => undefined), HEALTH_EVERY_MS),
  ];
  try {
    await work();
  } finally {
    for (const timer of timers) clearInterval(timer);
  }
  const wallMs = performance.now() - startedAt;
  const measured = { cpuMs: cpuMsOf(target.pid) - cpuBefore, wallMs, writes, healthMs };
  await Promise.all(pending);
  if (failures.length > 0) throw failures[0];
  return measured;
}
