import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SearchTimeout } from "@chest/core/ports";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteEngine } from "../index.ts";
import { type PoolOptions, SearchPool } from "./search-pool.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-pool-"));
const path = join(folder, "chest.db");
beforeAll(async () => (await openSqliteEngine({ path })).close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function using(options: Partial<PoolOptions>, work: (pool: SearchPool) => Promise<void>): Promise<void> {
  const pool = new SearchPool({ path, threads: 1, timeoutMs: 10_000, ...options });
  try {
    await work(pool);
  } finally {
    await pool.close();
  }
}

let entered = 0;
const countingShares = () => ({
  enter() {
    entered += 1;
    return undefined;
  },
  leave() {},
});

describe("the search pool", () => {
  it("answers many questions with few threads, each its own", () =>
    using({ threads: 2 }, async (pool) => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => pool.ask("ping", {})));
      expect(answers).toEqual(Array(100).fill(true));
    }));

  it("starts no more threads than questions need at a time, and all of them where it is told to", () =>
    using({ threads: 3, vectors: countingShares() }, async (pool) => {
      expect(entered).toBe(0);
      for (let i = 0; i < 3; i++) await pool.ask("ping", {});
      expect(entered).toBe(1);
      pool.warm();
      pool.warm();
      expect(entered).toBe(3);
    }));

  it("waits longer for what is more than one search", () =>
    using({ timeoutMs: 1 }, async (pool) => {
      await expect(pool.ask("ping", {})).rejects.toBeInstanceOf(SearchTimeout);
      expect(await pool.ask("ping", {}, 60_000)).toBe(true);
    }));

  it("gives up a question past its deadline, and goes on with the next", () =>
    using({ timeoutMs: 1 }, async (pool) => {
      // The thread is still starting: nothing it is asked can be in time.
      await expect(pool.ask("ping", {})).rejects.toBeInstanceOf(SearchTimeout);
      await expect.poll(() => pool.ask("ping", {}).catch(() => false), { timeout: 10_000 }).toBe(true);
    }));

  it("refuses at once when too many wait, with a delay to come back after", () =>
    using({}, async (pool) => {
      const outcomes = await Promise.allSettled(Array.from({ length: 600 }, () => pool.ask("ping", {})));
      const refused = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason);
      expect(refused.length).toBeGreaterThan(0);
      for (const reason of refused) {
        expect(reason).toMatchObject({
          code: "UNAVAILABLE",
          status: 503,
          details: { retry_after_ms: expect.any(Number) },
        });
      }
      expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(512);
    }));

  it("replaces a thread that died: who asked it is refused, who asks later is answered", async () => {
    const later = join(folder, "later.db");
    await using({ path: later }, async (pool) => {
      await expect(pool.ask("ping", {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
      copyFileSync(path, later);
      await expect.poll(() => pool.ask("ping", {}).catch(() => false), { timeout: 20_000 }).toBe(true);
    });
  });

  it("replaces a thread that is stuck", { timeout: 30_000 }, async () => {
    const locked = join(folder, "locked.db");
    const holder = new Database(locked);
    holder.exec("CREATE TABLE meta (key TEXT PRIMARY KEY)");
    await using({ path: locked, timeoutMs: 100 }, async (pool) => {
      await expect.poll(() => pool.ask("ping", {}).catch(() => false), { timeout: 10_000 }).toBe(true);
      holder.exec("BEGIN EXCLUSIVE");
      await expect(pool.ask("ping", {})).rejects.toBeInstanceOf(SearchTimeout);
      holder.exec("COMMIT");
      await expect.poll(() => pool.ask("ping", {}).catch(() => false), { timeout: 20_000 }).toBe(true);
    });
    holder.close();
  });

  it("refuses who waits when it closes, and everybody after", async () => {
    const pool = new SearchPool({ path, threads: 1, timeoutMs: 10_000 });
    const waiting = Promise.allSettled([pool.ask("ping", {}), pool.ask("ping", {})]);
    await pool.close();
    expect((await waiting)[1]).toMatchObject({ reason: { code: "UNAVAILABLE" } });
    await expect(pool.ask("ping", {})).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
