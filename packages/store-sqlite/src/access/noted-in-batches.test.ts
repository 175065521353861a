import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noteInBatches } from "@chest/store/access/noted-in-batches";
import { TokenUses } from "@chest/store/access/token-uses";
import { KnownPlaces } from "@chest/store/database/places";
import { fixedClock } from "@chest/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readingOf } from "../database/async-connection.ts";
import { Connection } from "../database/connection.ts";
import { Writer } from "../database/write-queue.ts";
import { accessWrites } from "../memories/access-writes.ts";
import { transactionsOf } from "../writing/transactions.ts";

let dir: string;
let connection: Connection;
let writer: Writer;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-uses-"));
  const path = join(dir, "some.db");
  const db = new Database(path);
  db.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT); INSERT INTO meta VALUES ('seq', '0')");
  db.close();
  connection = new Connection(path, { busyTimeoutMs: 0, synchronous: "NORMAL" });
  writer = new Writer(connection);
});
afterEach(async () => {
  await writer.close();
  connection.close();
  rmSync(dir, { recursive: true, force: true });
});

const transactions = () =>
  transactionsOf({ writing: connection, written: new KnownPlaces(readingOf(connection)), writer, clock: fixedClock() });
const addTokens = () =>
  connection.db.exec(
    "CREATE TABLE tokens (id INTEGER PRIMARY KEY, last_used_at INTEGER); INSERT INTO tokens (id) VALUES (7)",
  );
const usedAt = () => connection.get<{ at: number | null }>("SELECT last_used_at AS at FROM tokens WHERE id = 7")?.at;

it("a use that could not be written is noted again at the next request", async () => {
  const uses = new TokenUses(transactions(), fixedClock());
  uses.note(7);
  await expect(uses.flush()).rejects.toThrow("no such table");
  addTokens();
  uses.note(7);
  await uses.flush();
  expect(usedAt()).toEqual(expect.any(Number));
});

it("what could not be written is told by its name", async () => {
  const told: string[] = [];
  const log = { info: () => undefined, warn: (_: unknown, message: string) => void told.push(message) };
  const noted = noteInBatches({
    transactions: transactions(),
    accessWrites: accessWrites(writer, connection),
    clock: fixedClock(),
    log,
    everyMs: 60_000,
  });
  noted.accesses.note([7], 1);
  noted.uses.note(7);
  noted.refusals.note({ caller: undefined, op: "chest_recall", outcome: "UNAUTHORIZED" });
  await noted.close();
  expect(told.toSorted()).toEqual([
    "accesses could not be written and are lost",
    "refusals could not be written and are lost",
    "uses of tokens could not be written and are lost",
  ]);
});
