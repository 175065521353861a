import { localCaller, SHARED } from "@chest/core/access";
import { canonical } from "@chest/core/memory";
import type { Engine } from "@chest/core/ports";
import { aCall, aMemory, TINY_IDENTITY } from "@chest/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openPostgresEngine } from "./index.ts";
import { begunOn, hasPostgres, onceOn, startPostgres, type TestServer } from "./testing/server.ts";

const PATIENCE_MS = 60_000;
const CALL = aCall({ caller: { ...localCaller("host/org/apple"), member: SHARED } });

describe.skipIf(!hasPostgres())("row counts of a store with two backends", () => {
  let server: TestServer;
  let url: string;
  let one: Engine;
  let other: Engine;
  beforeAll(async () => {
    server = await startPostgres();
  }, PATIENCE_MS);
  afterAll(() => server?.stop(), PATIENCE_MS);
  beforeEach(async () => {
    url = await server.database();
    one = await openPostgresEngine({ url, active: TINY_IDENTITY });
    other = await openPostgresEngine({ url, active: TINY_IDENTITY });
  }, PATIENCE_MS);
  afterEach(() => Promise.all([one.close(), other.close()]), PATIENCE_MS);

  const aged = (seconds: number) =>
    onceOn(
      url,
      `UPDATE meta SET value = (value::jsonb || jsonb_build_object('at', (value::jsonb ->> 'at')::float8 - ${seconds}))::text
       WHERE key = 'census'`,
    );

  it("are made by one, and shown by both with their age", async () => {
    await remember(one, "the heron waits");
    expect(await one.server?.counted()).toEqual({
      ...{ live: 1, archived: 0, superseded: 0, pending: 1, vectors: 0, entities: 1 },
      ageS: expect.any(Number),
    });
    await remember(one, "the heron has waited");
    await aged(30);
    const shown = await other.server?.counted();
    expect(shown).toMatchObject({ live: 1, entities: 1 });
    expect(shown?.ageS).toBeGreaterThanOrEqual(30);
    expect(shown?.ageS).toBeLessThan(60);
  });

  it("are made anew once they are a minute old", async () => {
    const first = await one.server?.counted();
    expect(first).toMatchObject({ live: 0 });
    await remember(one, "the heron waits");
    await aged(61);
    await vi.waitFor(async () => expect(await other.server?.counted()).toMatchObject({ live: 1, pending: 1 }));
    expect((await one.server?.counted())?.ageS).toBeLessThan(61);
  });

  it("are not made by a second one meanwhile", async () => {
    const counting = await begunOn(url, "SELECT pg_advisory_xact_lock(9, 0)");
    expect(await other.server?.counted()).toBeUndefined();
    await counting.commit();
    expect(await other.server?.counted()).toMatchObject({ live: 0 });
  });
});

const remember = (engine: Engine, content: string) =>
  engine.as(CALL).write(async (tx) => {
    const place = { visibility: "team", projectKey: undefined } as const;
    const { entity } = await tx.entities.findOrAdd({ name: "acme", kind: "project", key: undefined, ...place });
    await tx.memories.add({ ...aMemory(), ...place, entity, text: canonical(content) });
  });
