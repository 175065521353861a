import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Connection } from "./connection.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-connection-"));
const path = join(folder, "some.db");
beforeAll(() => {
  const db = new Database(path);
  db.exec("CREATE TABLE t (n); INSERT INTO t VALUES (1)");
  db.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function using(options: ConstructorParameters<typeof Connection>[1], work: (connection: Connection) => void): void {
  const connection = new Connection(path, options);
  try {
    work(connection);
  } finally {
    connection.close();
  }
}

describe("a connection", () => {
  it.each([
    ["FULL", 2],
    ["NORMAL", 1],
  ] as const)("that writes keeps a log, foreign keys and secure deletes, and syncs %s", (synchronous, level) => {
    using({ synchronous }, ({ db }) => {
      const names = ["journal_mode", "foreign_keys", "secure_delete", "synchronous"];
      expect(names.map((name) => db.pragma(name, { simple: true }))).toEqual(["wal", 1, 1, level]);
    });
  });

  it("syncs every commit unless told otherwise, and waits five seconds for a lock", () => {
    using({}, ({ db }) => {
      expect([db.pragma("synchronous", { simple: true }), db.pragma("busy_timeout", { simple: true })]).toEqual([
        2, 5000,
      ]);
    });
  });

  it("that reads cannot write", () => {
    using({ readonly: true }, (connection) => {
      expect(connection.get("SELECT n FROM t")).toEqual({ n: 1 });
      expect(() => connection.run("INSERT INTO t VALUES (2)")).toThrow(/readonly/);
    });
  });

  it("makes no file where there is none", () => {
    expect(() => new Connection(join(folder, "absent.db"))).toThrow(
      expect.objectContaining({ code: "SQLITE_CANTOPEN" }),
    );
  });

  it.skipIf(process.platform !== "linux")("that stays open gives back the memory of what it has read", async () => {
    const large = join(folder, "large.db");
    const db = new Database(large);
    db.exec("CREATE TABLE t (text); INSERT INTO t VALUES (hex(randomblob(2000000)))");
    db.close();
    const mappedKb = () => {
      const [, entry = ""] = readFileSync("/proc/self/smaps", "utf8").split(`${large}\n`);
      return Number(/^Rss:\s+(\d+) kB$/m.exec(entry)?.[1] ?? 0);
    };
    const connection = new Connection(large, { readonly: true, isLongLived: true });
    const read = () => connection.get("SELECT length(text) AS n FROM t");
    try {
      expect(read()).toEqual({ n: 4_000_000 });
      expect(mappedKb()).toBeGreaterThan(3000);
      await expect.poll(mappedKb, { timeout: 20_000 }).toBe(0);
      expect(read()).toEqual({ n: 4_000_000 });
      expect(mappedKb()).toBeGreaterThan(3000);
    } finally {
      connection.close();
    }
  });
});
