import { SHARED, UNSTATED_CLIENT } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { localExecutor } from "@chest/core/pipeline";
import { noEmbedder, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { countTrips, startPostgres } from "@chest/store-postgres/testing";
import { seeded } from "../../support/random.ts";
import type { Bench } from "../bench.ts";
import { askedVector, IDENTITY, vectorOf } from "../curve/vectors.ts";
import { atMost, type Figure } from "../figures.ts";
import { openPostgresEngine } from "../libraries.ts";
import { median } from "../rounds.ts";
import { endless, readSections } from "../texts.ts";

const FILLED = 40;
const TURNS = 5;
/** Most round trips of a call in the store, without the check of the caller's token. */
const MOST = 4;

/**
 * Counts on the wire how often a write and a recall wait for PostgreSQL; statements sent without waiting count once.
 */
export const postgresTrips: Bench = async () => {
  const server = await startPostgres();
  const way = await countTrips(await server.database());
  const engine = await openPostgresEngine({ url: way.url, active: IDENTITY });
  const executor = localExecutor(TOOLS, engine, {
    ...{ clock: systemClock, embedders: () => noEmbedder, limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING },
  });
  const section = endless(readSections());
  const random = seeded(3);
  let nth = 0;
  const remember = async (entity_name: string) => {
    nth += 1;
    const fact = { entity_name, entity_kind: "project", layer: "learning", content: section().text };
    const { memory_id } = await executor.execute("chest_remember", fact, callOf(`write-${nth}`));
    return memory_id as number;
  };
  const recall = (more: object) => executor.execute("chest_recall", { query: section().text, ...more }, callOf());
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    "remember, of a subject that has memories": () => remember("bench"),
    "remember, of a new subject": () => remember(`bench ${nth}`),
    "recall by words": () => recall({}),
    "recall by words and a vector": () => recall({ query_embedding: askedVector(1, random) }),
  };
  try {
    for (let count = 0; count < FILLED; count++) {
      const memoryId = await remember("bench");
      await engine.as(callOf()).write(async (tx) => {
        const memory = await tx.memories.byId(memoryId);
        if (memory) await tx.vectors.put(memory, IDENTITY, vectorOf(count));
      });
    }
    const figures: Figure[] = [];
    for (const [name, action] of Object.entries(actions)) {
      await action();
      const counts: number[] = [];
      for (let turn = 0; turn < TURNS; turn++) counts.push((await way.during(action)).length);
      const trips = median(counts);
      figures.push({
        name,
        value: trips,
        unit: "",
        goal: { ...atMost(MOST, trips, `${MOST} trips`), isBinding: true },
      });
    }
    return figures;
  } finally {
    await engine.close();
    await way.stop();
    await server.stop();
  }
};

const callOf = (idempotencyKey?: string): Call => ({
  caller: { member: SHARED, scopes: new Set(["read", "write"]), project: "bench/trips", client: UNSTATED_CLIENT },
  requestId: "bench",
  signal: new AbortController().signal,
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
});
