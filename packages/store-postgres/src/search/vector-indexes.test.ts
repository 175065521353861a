import { localCaller, SHARED } from "@chest/core/access";
import { canonical } from "@chest/core/memory";
import type { Engine } from "@chest/core/ports";
import { aCall, aMemory, TINY_IDENTITY } from "@chest/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openPostgresEngine } from "../index.ts";
import { hasPostgres, onceOn, startPostgres, type TestServer } from "../testing/server.ts";

const MEMORIES = 240;
const PATIENCE_MS = 60_000;
const CALL = aCall({ caller: { ...localCaller("host/org/apple"), member: SHARED } });

describe.skipIf(!hasPostgres())("an index of vectors", () => {
  let server: TestServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.database();
  }, PATIENCE_MS);
  afterAll(() => server?.stop(), PATIENCE_MS);

  const open = (exactUpTo: number) =>
    openPostgresEngine({ url, active: TINY_IDENTITY, exactUpTo, lookEveryMs: 50, searchTimeoutMs: PATIENCE_MS });

  it(
    "is made where many vectors lie, asked in large scopes alone, and finds what a comparison of all finds",
    async () => {
      const exact = await open(1_000_000);
      const indexed = await open(100);
      try {
        await fill(exact);
        await vi.waitFor(async () => expect(await indexesIn(url)).toEqual(["vectors_near_1"]), PATIENCE_MS);
        for (let nth = 0; nth < 20; nth++) {
          const asked = vectorOf(nth * 7 + 3);
          const find = async (engine: Engine, tags?: string[]) => {
            const { search } = engine.as(CALL);
            const where = { reach: "everywhere", withArchived: false, withSuperseded: false, tags } as const;
            return (await search.matchVector(asked, TINY_IDENTITY, where, 10))?.map(({ id }) => id);
          };
          expect(await find(indexed)).toEqual(await find(exact));
          // Few of them pass: what the index leaves out, a comparison of all finds.
          expect(await find(indexed, ["few"])).toEqual(await find(exact, ["few"]));
        }
        await vi.waitFor(async () => expect(await scansOf(url)).toBeGreaterThan(19), PATIENCE_MS);
      } finally {
        await Promise.all([exact.close(), indexed.close()]);
      }
    },
    PATIENCE_MS,
  );

  it(
    "that was broken off is made anew",
    async () => {
      await onceOn(url, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'vectors_near_1'::regclass");
      const engine = await open(100);
      try {
        await vi.waitFor(async () => expect(await indexesIn(url)).toEqual(["vectors_near_1"]), PATIENCE_MS);
      } finally {
        await engine.close();
      }
    },
    PATIENCE_MS,
  );
});

/** Directions spread over the sphere. */
const vectorOf = (nth: number): Float32Array => {
  const raw = [Math.sin(nth), Math.cos(nth * 1.7), Math.sin(nth * 0.61 + 1), Math.cos(nth * 2.3 + 2)];
  const length = Math.hypot(...raw);
  return Float32Array.from(raw, (each) => each / length);
};

async function fill(engine: Engine): Promise<void> {
  await engine.as(CALL).write(async (tx) => {
    const place = { visibility: "team", projectKey: undefined } as const;
    const { entity } = await tx.entities.findOrAdd({ name: "acme", kind: "project", key: undefined, ...place });
    for (let nth = 0; nth < MEMORIES; nth++) {
      const memory = await tx.memories.add({
        ...aMemory({ tags: nth % 60 === 0 ? ["few"] : [] }),
        ...place,
        entity,
        text: canonical(`fact ${nth}`),
      });
      await tx.vectors.put(memory, TINY_IDENTITY, vectorOf(nth));
    }
  });
}

async function indexesIn(url: string): Promise<string[]> {
  const rows = await onceOn(
    url,
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = 'vectors'::regclass AND c.relname ~ 'near' AND i.indisvalid`,
  );
  return rows.map(({ name }) => String(name));
}

async function scansOf(url: string): Promise<number> {
  const [row] = await onceOn(url, "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'vectors_near_1'");
  return Number(row?.idx_scan ?? 0);
}
