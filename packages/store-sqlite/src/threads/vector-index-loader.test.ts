import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Caller, SHARED } from "@chest/core/access";
import { canonical } from "@chest/core/memory";
import type { Engine, Filter } from "@chest/core/ports";
import { aCall, aCaller } from "@chest/testing";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Connection } from "../database/connection.ts";
import { openSqliteEngine } from "../index.ts";
import { VectorStore } from "../testing/vector-store.ts";
import { Arena, CELL } from "../vector-index/arena.ts";
import { AT_ONCE } from "../vector-index/vector-index.ts";
import { SearchPool } from "./search-pool.ts";
import { VectorIndexHost } from "./vector-index-loader.ts";

// More than are compared one by one, too.
const MANY = AT_ONCE + 1500;
const ALL: Filter = { reach: "everywhere", withArchived: true, withSuperseded: true };
const SPACES = ["team", "p1", "p2", "p3", "p4", "p5"];
const PATIENCE = { timeout: 60_000 };

const folder = mkdtempSync(join(tmpdir(), "chest-vector-host-"));
let count = 0;
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function aStore(memories: number): Promise<{ readonly path: string; readonly store: VectorStore }> {
  count += 1;
  const path = join(folder, `${count}.db`);
  const store = await VectorStore.create(path, 128);
  store.add(memories);
  opened.push(store.db);
  return { path, store };
}

function aHost(path: string) {
  const lines: string[] = [];
  const reader = new Connection(path, { readonly: true });
  const note = (fields: Readonly<Record<string, unknown>>, message: string) =>
    lines.push(`${message} ${fields.vectors}`);
  const host = new VectorIndexHost({ path, reader, log: { info: note, warn: note } });
  opened.push(reader, host);
  return { host, lines };
}

function aPool(path: string, host: VectorIndexHost, threads: number): SearchPool {
  const pool = new SearchPool({ path, threads, timeoutMs: 30_000, vectors: host });
  opened.push(pool);
  return pool;
}

const question = ({ identity }: VectorStore, vector: Float32Array, limit = 5) => ({
  vector,
  identity,
  spaces: SPACES,
  limit,
  where: { withArchived: true, withSuperseded: true, nowS: 0 },
});

describe("the vector index of an engine", () => {
  it(
    "is loaded beside the first answers, which go on without it, and follows what is written then",
    PATIENCE,
    async () => {
      const { path, store } = await aStore(MANY);
      const lines: string[] = [];
      const note = (fields: Readonly<Record<string, unknown>>, message: string) =>
        lines.push(`${message} ${fields.vectors}`);
      const engine: Engine = await openSqliteEngine({
        path,
        searchTimeoutMs: 30_000,
        synchronous: "NORMAL",
        log: { info: note, warn: note },
      });
      opened.push(engine);
      const caller: Caller = aCaller({ member: SHARED, project: "host/org/any" });
      const search = engine.as(aCall({ caller })).search;
      const vector = store.near();
      // Loaded already, or not waited for.
      expect([undefined, 5]).toContain((await search.matchVector(vector, store.identity, ALL, 5))?.length);
      await expect
        .poll(async () => (await search.matchVector(vector, store.identity, ALL, 5))?.length, { timeout: 30_000 })
        .toBe(5);
      await expect.poll(() => lines, { timeout: 30_000 }).toContain(`vector index loaded ${MANY}`);

      const made = await engine.as(aCall({ caller })).write(async (tx) => {
        const memory = await tx.memories.byId(store.idIn("team"));
        const reworded = memory && (await tx.memories.revise(memory, { text: canonical("other words") }));
        if (reworded) await tx.vectors.put(reworded, store.identity, vector);
        return { id: memory?.id };
      });
      expect((await search.matchVector(vector, store.identity, ALL, 1))?.[0]).toMatchObject({
        id: made.id,
        score: expect.closeTo(1, 5),
      });
    },
  );

  it("answers in a small scope before it is loaded", PATIENCE, async () => {
    const { path, store } = await aStore(MANY);
    const pool = aPool(path, aHost(path).host, 1);
    const asked = { ...question(store, store.near()), spaces: ["p2"] };
    expect((await pool.ask("vector", asked))?.ids).toHaveLength(5);
  });
});

describe("the vector index between threads", () => {
  it("is one for all, and gives each what was committed before it asked", PATIENCE, async () => {
    const { path, store } = await aStore(MANY);
    const { host, lines } = aHost(path);
    const pool = aPool(path, host, 3);
    await expect.poll(() => lines, { timeout: 30_000 }).toEqual([`vector index loaded ${MANY}`]);
    const { bytes } = host.standing();
    for (let turn = 0; turn < 60; turn++) {
      const id = 1 + turn * 7;
      const vector = store.near();
      store.putVector(id, vector);
      const others = Array.from({ length: 3 }, () => pool.ask("vector", question(store, store.near())));
      const [own, ...rest] = await Promise.all([pool.ask("vector", question(store, vector, 1)), ...others]);
      expect([own?.ids[0], own?.scores[0]]).toEqual([id, expect.closeTo(1, 5)]);
      for (const hits of rest) expect(hits?.ids).toHaveLength(5);
    }
    // Rooms for the threads' own work, and not another index.
    expect(host.standing().bytes - bytes).toBeLessThan(4 * 400_000);
  });

  it(
    "is read anew where a thread ended in the middle of a change, and held up by nobody who is gone",
    PATIENCE,
    async () => {
      const { path, store } = await aStore(MANY);
      const { host, lines } = aHost(path);
      const pool = aPool(path, host, 1);
      await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(1);
      const share = host.enter();
      if (!share) throw new Error("there is room for another thread");
      // It holds the index for a change, and never comes back.
      Atomics.store(new Arena(share.memory).cells(), CELL.writer, share.thread + 1);
      host.leave(share);
      expect(host.standing().isReady).toBe(false);
      host.tend();
      await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(2);
      expect((await pool.ask("vector", question(store, store.near())))?.ids).toHaveLength(5);
    },
  );

  it("goes on when a search thread is replaced", PATIENCE, async () => {
    const { path, store } = await aStore(200);
    const { host } = aHost(path);
    for (let turn = 0; turn < 3; turn++) {
      const pool = aPool(path, host, 2);
      expect((await pool.ask("vector", question(store, store.near())))?.ids).toHaveLength(5);
      await pool.close();
    }
  });

  it("is closed in the middle of its loading without a word", PATIENCE, async () => {
    const { path, store } = await aStore(MANY);
    const { host, lines } = aHost(path);
    const pool = aPool(path, host, 1);
    await pool.ask("vector", { ...question(store, store.near()), spaces: ["p2"] });
    host.tend();
    await host.close();
    expect(lines.filter((line) => line.includes("could not"))).toEqual([]);
  });

  it("says so where it cannot be loaded, and leaves the words to themselves", PATIENCE, async () => {
    const { path, store } = await aStore(MANY);
    store.db.exec("ALTER TABLE vector_changes RENAME TO elsewhere");
    const { lines } = aHost(path);
    await expect
      .poll(() => lines, { timeout: 30_000 })
      .toEqual([expect.stringContaining("the vector index could not be loaded")]);
  });
});
