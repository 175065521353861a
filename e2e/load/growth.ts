import type { Bench } from "./bench.ts";
import { atMost, type Figure } from "./figures.ts";
import { rememberRequest } from "./memory-requests.ts";
import { Load } from "./requests.ts";
import { cpuEach, median, perSecond, type Sample, spread } from "./rounds.ts";
import { endless, readSections } from "./texts.ts";

const CONNECTIONS = 32;
const [SMALL, LARGE] = [10_000, 50_000];
const REQUESTS = 1000;
/**
 * With this many entities, each has about a hundred memories at the end; up to that number, its memories of the week
 * are counted at every write.
 */
const ENTITIES = 600;

/** Measures whether storing a memory takes longer the more memories of this week there are. */
export const growth: Bench = async ({ rounds, startServer }) => {
  const section = endless(readSections());
  const server = await startServer({ CHEST_SQLITE_SYNCHRONOUS: "FULL" });
  const load = new Load(server, CONNECTIONS);
  let stored = 0;
  const store = async (count: number): Promise<Sample> => {
    const requests = Array.from({ length: count }, () => {
      stored += 1;
      return rememberRequest({ ...section(), about: `entity ${(stored * 7919) % ENTITIES}` });
    });
    return load.run(requests, { isPatient: true });
  };
  try {
    const samples: Sample[][] = [];
    for (const rows of [SMALL, LARGE]) {
      await store(rows - (rounds * REQUESTS) / 2 - stored);
      const around: Sample[] = [];
      for (let round = 0; round < rounds; round++) around.push(await store(REQUESTS));
      samples.push(around);
    }
    return figuresOf(samples as [Sample[], Sample[]]);
  } finally {
    await load.close();
    await server.stop();
  }
};

function figuresOf([small, large]: readonly [Sample[], Sample[]]): Figure[] {
  const cpu = [small, large].map((samples) => median(samples.map(cpuEach))) as [number, number];
  const figure = (rows: number, samples: Sample[]): Figure => ({
    name: `remember among ${rows.toLocaleString("en")}, 32 connections`,
    unit: "/s",
    value: median(samples.map(perSecond)),
    cpuMs: median(samples.map(cpuEach)),
    ...spread(samples),
  });
  return [
    figure(SMALL, small),
    figure(LARGE, large),
    {
      name: "  CPU of the backend, each, against the smaller store",
      unit: "ms",
      value: cpu[1],
      floor: cpu[0],
      ratio: cpu[1] / cpu[0],
      goal: atMost(1.1, cpu[1] / cpu[0], "1.1 × the smaller store"),
    },
  ];
}
