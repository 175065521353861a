import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { atLeast, atMost, type Figure } from "./figures.ts";
import { asTransaction, emptied, startPostFloor } from "./floors/post.ts";
import { TransactionFloor } from "./floors/transaction.ts";
import { rememberRequest } from "./memory-requests.ts";
import { Load } from "./requests.ts";
import { cpuEach, interleaved, median, medianRatio, perSecond, type Sample, spread, wallEach } from "./rounds.ts";
import { endless, readSections } from "./texts.ts";

const [ALONE, TOGETHER] = [1, 32];
const [REQUESTS_ALONE, REQUESTS_TOGETHER] = [300, 1600];
const WARM_UP = 800;

/**
 * Measures storing memories over REST; each memory is safe on the disk before its answer. The floor is a request that
 * does both, HTTP and disk, because the processor's caches and the disk's queue cool down between requests, unlike in a
 * loop of transactions.
 */
export const remember: Bench = async ({ rounds, workDir, startServer }) => {
  const section = endless(readSections());
  const server = await startServer({ CHEST_SQLITE_SYNCHRONOUS: "FULL" });
  const post = await startPostFloor(join(workDir, "posts.db"));
  const transaction = await TransactionFloor.open(join(workDir, "transaction.db"));
  const load = { alone: new Load(server, ALONE), together: new Load(server, TOGETHER) };
  const floor = { alone: new Load(post, ALONE), together: new Load(post, TOGETHER) };
  const some = (count: number) => Array.from({ length: count }, section);
  try {
    await load.together.run(some(WARM_UP).map(rememberRequest));
    await floor.together.run(some(WARM_UP).map(rememberRequest).map(emptied));
    await floor.alone.run(some(WARM_UP).map(rememberRequest).map(asTransaction));
    transaction.run(some(WARM_UP));
    const samples = await interleaved(rounds, {
      alone: () => load.alone.run(some(REQUESTS_ALONE).map(rememberRequest)),
      written: () => floor.alone.run(some(REQUESTS_ALONE).map(rememberRequest).map(asTransaction)),
      post: () => floor.alone.run(some(REQUESTS_ALONE).map(rememberRequest).map(emptied)),
      transaction: async () => transaction.run(some(REQUESTS_ALONE)),
      together: () => load.together.run(some(REQUESTS_TOGETHER).map(rememberRequest)),
      postTogether: () => floor.together.run(some(REQUESTS_TOGETHER).map(rememberRequest).map(emptied)),
    });
    return figuresOf(samples, rounds);
  } finally {
    transaction.close();
    await Promise.all([...Object.values(load), ...Object.values(floor)].map((each) => each.close()));
    await Promise.all([post.stop(), server.stop()]);
  }
};

type Samples = Record<"alone" | "written" | "post" | "transaction" | "together" | "postTogether", Sample[]>;

function figuresOf({ alone, written, post, transaction, together, postTogether }: Samples, rounds: number): Figure[] {
  const each = (samples: Sample[]) => (round: number) => wallEach(samples[round] as Sample);
  const rate = (samples: Sample[]) => (round: number) => perSecond(samples[round] as Sample);
  const slower = medianRatio(rounds, each(alone), each(written));
  const faster = medianRatio(rounds, rate(together), rate(alone));
  const [rateAlone, rateTogether] = [median(alone.map(perSecond)), median(together.map(perSecond))];
  const cpuTogether = median(together.map(cpuEach));
  const sums = alone.map((_, round) => each(post)(round) + each(transaction)(round));
  const loops = medianRatio(rounds, each(alone), (round) => sums[round] as number);
  const floorMs = median(written.map(wallEach));
  return [
    { ...inMs("remember, 1 connection", alone), floor: floorMs, ratio: slower, goal: atMost(2, slower, "2 × floor") },
    inMs("  floor: POST with a bare transaction in it", written),
    inMs("  beside it: empty POST", post),
    inMs("  beside it: bare transactions in a loop", transaction),
    {
      name: "  remember against the sum of these two",
      unit: "ms",
      value: median(alone.map(wallEach)),
      floor: median(sums),
      ratio: loops,
    },
    {
      ...inRate("remember, 32 connections", together),
      floor: rateAlone,
      ratio: faster,
      goal: atLeast(2, faster, "2 × rate at 1"),
    },
    { ...inRate("  rate (best rival: 550/s)", together), goal: atLeast(1650, rateTogether, "1650/s") },
    { ...inRate("  CPU of the backend", together), goal: atMost(1.2, cpuTogether, "1.2 ms CPU") },
    inRate("  beside it: empty POST", postTogether),
  ];
}

const measured = (samples: Sample[]) => ({ cpuMs: median(samples.map(cpuEach)), ...spread(samples) });
const inMs = (name: string, samples: Sample[]): Figure => ({
  name,
  unit: "ms",
  value: median(samples.map(wallEach)),
  ...measured(samples),
});
const inRate = (name: string, samples: Sample[]): Figure => ({
  name,
  unit: "/s",
  value: median(samples.map(perSecond)),
  ...measured(samples),
});
