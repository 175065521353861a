import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Connection } from "../database/connection.ts";
import { Writer } from "../database/write-queue.ts";

let folder: string;
let path: string;
let connection: Connection;
let writer: Writer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chest-lock-"));
  path = join(folder, "some.db");
  const db = new Database(path);
  db.exec(
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT); INSERT INTO meta VALUES ('seq', '0'); CREATE TABLE t (n)",
  );
  db.close();
  connection = new Connection(path, { busyTimeoutMs: 0, synchronous: "NORMAL" });
  writer = new Writer(connection);
});
afterEach(async () => {
  await writer.close();
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (n: number) => writer.call(async () => connection.run("INSERT INTO t VALUES (?)", n).changes);
const rows = () => connection.all<{ n: number }>("SELECT n FROM t ORDER BY n").map(({ n }) => n);

describe("while another process holds the lock", () => {
  const HOLDS = `
    import Database from "better-sqlite3";
    const db = new Database(process.argv[1]);
    db.exec("BEGIN IMMEDIATE");
    console.log("held");
    process.stdin.once("data", () => { db.exec("COMMIT"); db.close(); process.exit(0); });`;

  async function holding(work: (release: () => Promise<void>) => Promise<void>): Promise<void> {
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    const child = spawn(process.execPath, ["--input-type=module", "-e", HOLDS, "--", path], { cwd });
    const exited = once(child, "exit");
    const release = async () => {
      child.stdin.write("\n");
      await exited;
    };
    try {
      await once(child.stdout, "data");
      await work(release);
    } finally {
      if (child.exitCode === null) await release();
    }
  }

  it("a call waits, and the event loop goes on", { timeout: 20_000 }, () =>
    holding(async (release) => {
      const waiting = add(1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(rows()).toEqual([]);
      await release();
      await expect(waiting).resolves.toBe(1);
    }),
  );

  it("a call that waits too long is refused and leaves nothing", { timeout: 30_000 }, () =>
    holding(async (release) => {
      await expect(add(1)).rejects.toMatchObject({
        code: "UNAVAILABLE",
        status: 503,
        details: { retry_after_ms: expect.any(Number) },
        hint: expect.any(String),
      });
      await release();
      await add(2);
      expect(rows()).toEqual([2]);
    }),
  );
});
