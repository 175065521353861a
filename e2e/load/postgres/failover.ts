import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@chest/store-postgres/testing";
import { startBackend } from "../../support/backend.ts";
import { SteadyWriters } from "../../support/deployment/steady-writers.ts";
import { startTcpProxy } from "../../support/deployment/tcp-proxy.ts";
import type { Bench } from "../bench.ts";
import { atMost } from "../figures.ts";
import { writtenFigures } from "./kill.ts";
import { RIG_ENV, RIG_TOKEN } from "./rig.ts";

const BACKENDS = 2;
const WRITERS = 12;
const STEADY_MS = 10_000;
const MOST_AFTER_PROMOTION_MS = 2000;

/**
 * Runs two backends under load while their database crashes and a synchronous standby takes over at the same address.
 */
export const postgresFailover: Bench = async () => {
  const primary = await startPostgres({ isDurable: true });
  const address = await startTcpProxy(primary.port);
  const database = await primary.database();
  const standby = await primary.standby();
  const env = { ...RIG_ENV, CHEST_DATABASE_URL: database.replace(`:${primary.port}/`, `:${address.port}/`) };
  const backends = await Promise.all(Array.from({ length: BACKENDS }, () => startBackend({ token: RIG_TOKEN, env })));
  const writers = new SteadyWriters({
    addresses: () => backends.map((backend) => backend.url),
    token: RIG_TOKEN,
    writers: WRITERS,
  });
  const startedAt = Date.now();
  try {
    await sleep(STEADY_MS);
    const steadyGapMs = writers.longestGapMs;
    writers.longestGapMs = 0;
    const crashedAt = Date.now();
    await primary.crash();
    await standby.promote();
    const promotionMs = Date.now() - crashedAt;
    address.aim(standby.port);
    await sleep(STEADY_MS);
    await writers.end();
    const seconds = (Date.now() - startedAt) / 1000;
    const found = await writers.tally(database.replace(`:${primary.port}/`, `:${standby.port}/`));
    const limitMs = promotionMs + MOST_AFTER_PROMOTION_MS;
    return [
      ...writtenFigures(writers, seconds, found),
      { name: "  longest gap before", value: steadyGapMs, unit: "ms" },
      { name: "  crash and promotion", value: promotionMs, unit: "ms" },
      {
        ...{ name: "  longest gap over them", value: writers.longestGapMs, unit: "ms" },
        goal: atMost(limitMs, writers.longestGapMs, "promotion + 2 s"),
      },
    ];
  } finally {
    await writers.end().catch(() => undefined);
    await Promise.all(backends.map((backend) => backend.stop()));
    await address.close();
    await standby.stop();
    await primary.stop();
  }
};
