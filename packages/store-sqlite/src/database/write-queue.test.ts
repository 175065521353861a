import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChestError } from "@chest/contracts";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection } from "./connection.ts";
import { Writer } from "./write-queue.ts";

/** A connection that counts what it is told. */
class Counting extends Connection {
  readonly told: string[] = [];
  override run(...input: Parameters<Connection["run"]>) {
    this.told.push(input[0]);
    return super.run(...input);
  }
  count(statement: string): number {
    return this.told.filter((sql) => sql === statement).length;
  }
}

const folder = mkdtempSync(join(tmpdir(), "chest-writer-"));
let files = 0;
let path: string;
let connection: Counting;
let writer: Writer;

beforeEach(() => {
  files += 1;
  path = join(folder, `${files}.db`);
  const db = new Database(path);
  db.exec(
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT); INSERT INTO meta VALUES ('seq', '0'); CREATE TABLE t (n UNIQUE)",
  );
  db.close();
  connection = new Counting(path, { busyTimeoutMs: 0, synchronous: "NORMAL" });
  writer = new Writer(connection);
});
afterEach(async () => {
  await writer.close();
  connection.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const add = (n: number) =>
  writer.call(async ({ seq }) => ({ seq, rows: connection.run("INSERT INTO t VALUES (?)", n).changes }));
const rows = () => connection.all<{ n: number }>("SELECT n FROM t ORDER BY n").map(({ n }) => n);

describe("the writer", () => {
  it("commits once for calls that wait together, and numbers each", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => add(i)));
    expect(connection.count("COMMIT")).toBe(1);
    expect(answers.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(rows()).toHaveLength(50);
  });

  it("writes nothing while it is held, and everything that waited as soon as it is let go", async () => {
    const checking = Promise.withResolvers<void>();
    writer.hold(checking.promise, 4000);
    const waiting = Promise.all([add(1), add(2)]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(rows()).toEqual([]);
    checking.resolve();
    await waiting;
    expect(rows()).toEqual([1, 2]);
  });

  it("tells whoever has waited long enough while it is held to come again, and writes for whoever comes then", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    try {
      const checking = Promise.withResolvers<void>();
      writer.hold(checking.promise, 4000);
      const first = expect(add(1)).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringContaining("being checked"),
        details: { retry_after_ms: 5000 },
      });
      await vi.advanceTimersByTimeAsync(3000);
      const second = add(2);
      await vi.advanceTimersByTimeAsync(1100);
      await first;
      checking.resolve();
      await second;
      expect(rows()).toEqual([2]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("writes what waited however long it was held, where nobody is impatient", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    try {
      const checking = Promise.withResolvers<void>();
      writer.hold(checking.promise, Number.POSITIVE_INFINITY);
      const waiting = add(1);
      await vi.advanceTimersByTimeAsync(600_000);
      checking.resolve();
      await waiting;
      expect(rows()).toEqual([1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("refuses whatever comes once it is halted, though it was let go before", async () => {
    const reason = new ChestError("UNAVAILABLE", "damaged");
    await add(1);
    writer.halt(reason);
    await expect(add(2)).rejects.toBe(reason);
    expect(rows()).toEqual([1]);
  });

  it("refuses what waited and whatever comes, where it is halted while it is held", async () => {
    const checking = Promise.withResolvers<void>();
    const reason = new ChestError("UNAVAILABLE", "damaged");
    writer.hold(
      checking.promise.then(() => writer.halt(reason)),
      4000,
    );
    const waiting = add(1);
    checking.resolve();
    await expect(waiting).rejects.toBe(reason);
    await expect(add(2)).rejects.toBe(reason);
    expect(rows()).toEqual([]);
  });

  it("answers after the commit: what was answered another connection can read", async () => {
    await add(1);
    const other = new Connection(path, { readonly: true });
    expect(other.all("SELECT n FROM t")).toEqual([{ n: 1 }]);
    other.close();
  });

  it("undoes a failing job alone", async () => {
    const outcomes = await Promise.allSettled([
      add(1),
      writer.call(async () => {
        connection.run("INSERT INTO t VALUES (2)");
        throw new Error("no");
      }),
      add(1),
      writer.call(async () => {
        connection.run("INSERT INTO t VALUES (3)");
        throw new ChestError("NOT_FOUND", "memory 9 not found");
      }),
      add(4),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(connection.count("COMMIT")).toBe(1);
    expect(rows()).toEqual([1, 4]);
  });

  it("runs what was deferred last, in the same commit, and not for a job that failed", async () => {
    const order: string[] = [];
    const job = (name: string, fails = false) =>
      writer.call(async (turn) => {
        order.push(name);
        turn.defer(() => order.push(`${name}, deferred`));
        if (fails) throw new Error("no");
      });
    await Promise.allSettled([job("a"), job("b", true), job("c")]);
    expect(order).toEqual(["a", "b", "c", "a, deferred", "c, deferred"]);
  });

  it("takes calls before sweeps, and finishes both before it closes", async () => {
    const order: string[] = [];
    const note = (name: string) => async () => void order.push(name);
    const all = [writer.sweep(note("sweep")), writer.call(note("call")), writer.call(note("call"))];
    await writer.close();
    await Promise.all(all);
    expect(order).toEqual(["call", "call", "sweep"]);
    await expect(add(1)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      details: { retry_after_ms: expect.any(Number) },
    });
  });

  it("lets a sweep that has waited long enough go before calls that never end", async () => {
    let isDone = false;
    const sweep = writer.sweep(async () => {
      isDone = true;
    });
    const until = Date.now() + 5000;
    const callers = [0, 1].map(async () => {
      while (!isDone && Date.now() < until) await writer.call(async () => undefined);
    });
    await Promise.all(callers);
    expect(isDone).toBe(true);
    await sweep;
  });

  it("goes on after a failed commit", async () => {
    connection.db.exec(
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED)",
    );
    const broken = writer.call(async () => void connection.run("INSERT INTO c VALUES (7)"));
    await expect(Promise.all([broken, add(1)])).rejects.toThrow();
    expect(rows()).toEqual([]);
    await add(2);
    expect(rows()).toEqual([2]);
  });
});
