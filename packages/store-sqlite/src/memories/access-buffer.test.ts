import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccessBuffer } from "@chest/store/memories/access-buffer";
import { aCall, fixedClock } from "@chest/testing";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { Connection } from "../database/connection.ts";
import { Writer } from "../database/write-queue.ts";
import { openSqliteEngine } from "../index.ts";
import { accessWrites } from "./access-writes.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-access-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A store with one memory, and a log of its accesses that is flushed by no clock. */
async function aLog(name: string) {
  const path = join(folder, name);
  const engine = await openSqliteEngine({ path });
  const id = await engine.as(aCall()).write(async (tx) => {
    const { entity } = await tx.entities.findOrAdd({
      name: "a",
      kind: "file",
      key: undefined,
      visibility: "team",
      projectKey: undefined,
    });
    const text = { content: "x", contentHash: "h", contentSha1: "s", words: "x", grams: "" };
    const rest = { layer: "learning", tags: [], importance: 0.5, visibility: "team" } as const;
    const memory = { entity, text, ...rest, projectKey: undefined, expiresAt: undefined, hasOwnExpiry: false };
    return (await tx.memories.add(memory)).id;
  });
  await engine.close();
  const connection = new Connection(path);
  const clock = fixedClock();
  const errors: unknown[] = [];
  const writer = new Writer(connection);
  const log = new AccessBuffer(accessWrites(writer, connection), clock, (error) => errors.push(error));
  const counts = () =>
    connection.get<{ n: number; stamps: number; last: number }>(
      `SELECT access_count AS n, last_accessed_at AS last,
         (SELECT count(*) FROM memory_access_log WHERE memory_id = id) AS stamps FROM memories WHERE id = ?`,
      id,
    );
  return { id, path, connection, clock, writer, log, errors, counts };
}

describe("accesses", () => {
  it("are written when they are flushed, not when they are noted", async () => {
    const { id, log, counts, clock, connection } = await aLog("flush.db");
    log.note([id], 1);
    expect(counts()).toMatchObject({ n: 0, stamps: 0 });
    clock.advance(5000);
    log.note([id, id], 1);
    await log.flush();
    expect(counts()).toEqual({ n: 3, stamps: 3, last: clock.now().getTime() / 1000 });
    await log.flush();
    connection.close();
  });

  it("are waited for by whoever flushes them, also when somebody else has begun to", async () => {
    const { id, log, counts, connection } = await aLog("begun.db");
    log.note(Array(450).fill(id), 1);
    void log.flush();
    await log.flush();
    expect(counts()).toMatchObject({ n: 450 });
    log.note(Array(450).fill(id), 1);
    void log.flush();
    await log.flush();
    expect(counts()).toMatchObject({ n: 900 });
    connection.close();
  });

  it("are written at five thousand, and on close, with the newest fifty stamps", async () => {
    const { id, log, counts, connection, clock } = await aLog("many.db");
    log.note(Array(4999).fill(id), 1);
    expect(counts()).toMatchObject({ n: 0 });
    log.note([id], 1);
    await expect.poll(counts, { timeout: 5000 }).toMatchObject({ n: 5000, stamps: 50 });
    clock.advance(5000);
    log.note(Array(3).fill(id), 1);
    await log.flush();
    expect(counts()).toEqual({ n: 5003, stamps: 50, last: clock.now().getTime() / 1000 });
    const now = "SELECT count(*) AS n FROM memory_access_log WHERE accessed_at = ?";
    expect(connection.get(now, clock.now().getTime() / 1000)).toEqual({ n: 3 });
    connection.close();
  });

  it("of a memory that is gone are dropped, the others kept", async () => {
    const { id, log, counts, connection, errors } = await aLog("gone.db");
    log.note([999_999, id], 1);
    await log.flush();
    expect([counts()?.n, errors]).toEqual([1, []]);
    connection.close();
  });

  it("that cannot be written are reported and lost, and those after them are written", async () => {
    const { id, path, log, counts, connection, errors } = await aLog("failing.db");
    const db = new Database(path);
    db.exec("ALTER TABLE memory_access_log RENAME TO hidden");
    log.note([id], 1);
    await log.flush();
    expect(errors).toHaveLength(1);
    db.exec("ALTER TABLE hidden RENAME TO memory_access_log");
    db.close();
    log.note([id], 1);
    await log.flush();
    expect(counts()).toMatchObject({ n: 1, stamps: 1 });
    connection.close();
  });
});
