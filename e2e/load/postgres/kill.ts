import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@chest/store-postgres/testing";
import { type Backend, startBackend } from "../../support/backend.ts";
import { SteadyWriters } from "../../support/deployment/steady-writers.ts";
import type { Bench } from "../bench.ts";
import { atMost, type Figure } from "../figures.ts";
import { percentile } from "../rounds.ts";
import { RIG_ENV, RIG_TOKEN } from "./rig.ts";

const BACKENDS = 3;
const WRITERS = 12;
const EVERY_MS = 10_000;

/** Runs three backends under load. Every ten seconds, one round, one of them is killed and restarted. */
export const postgresKill: Bench = async ({ rounds }) => {
  const server = await startPostgres({ isDurable: true });
  const url = await server.database();
  const start = () => startBackend({ token: RIG_TOKEN, env: { ...RIG_ENV, CHEST_DATABASE_URL: url } });
  const backends: Backend[] = [];
  for (let nth = 0; nth < BACKENDS; nth++) backends.push(await start());
  const writers = new SteadyWriters({
    addresses: () => backends.map((backend) => backend.url),
    token: RIG_TOKEN,
    writers: WRITERS,
  });
  const startedAt = Date.now();
  try {
    for (let round = 0; round < rounds; round++) {
      const next = startedAt + (round + 1) * EVERY_MS;
      await sleep(Math.max(0, next - Date.now()));
      const nth = round % BACKENDS;
      await backends[nth]?.kill9();
      backends[nth] = await start();
    }
    await writers.end();
    const seconds = (Date.now() - startedAt) / 1000;
    const { lost, doubled } = await writers.tally(url);
    return [
      ...writtenFigures(writers, seconds, { lost, doubled }),
      { name: "  kills", value: rounds, unit: "" },
      { name: "  longest gap between two acknowledged writes", value: writers.longestGapMs, unit: "ms" },
    ];
  } finally {
    await writers.end().catch(() => undefined);
    await Promise.all(backends.map((backend) => backend.stop()));
    await server.stop();
  }
};

/** Figures of the writers: answers, lost and doubled writes, and durations of recalls. */
export function writtenFigures(
  { acknowledged, refused, unavailable, recallsMs }: SteadyWriters,
  seconds: number,
  { lost, doubled }: { readonly lost: number; readonly doubled: number },
): Figure[] {
  const others = [...refused.values()].reduce((sum, count) => sum + count, 0);
  return [
    { name: `acknowledged in ${seconds.toFixed(0)} s`, value: acknowledged.size, unit: "" },
    { name: "  rate", value: acknowledged.size / seconds, unit: "/s" },
    { name: "  lost", value: lost, unit: "", goal: atMost(0, lost, "0") },
    { name: "  doubled", value: doubled, unit: "", goal: atMost(0, doubled, "0") },
    { name: "  UNAVAILABLE, or no answer", value: unavailable, unit: "" },
    {
      name: `  other refusals ${[...refused.keys()].join(" ")}`.trimEnd(),
      value: others,
      unit: "",
      goal: atMost(0, others, "0"),
    },
    {
      ...{ name: "  recall beside it", value: percentile(recallsMs, 50), unit: "ms" },
      ...{ p50Ms: percentile(recallsMs, 50), p95Ms: percentile(recallsMs, 95) },
    },
  ];
}
