import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openSqliteEngine } from "../index.ts";

const root = mkdtempSync(join(tmpdir(), "chest-refused-"));
let count = 0;
let path = "";
beforeEach(() => {
  count += 1;
  mkdirSync(join(root, String(count)), { mode: 0o755 });
  path = join(root, String(count), "some.db");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const OTHER =
  "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO customers (name) VALUES ('somebody')";
const BY_PRISMA = `CREATE TABLE _prisma_migrations (id TEXT PRIMARY KEY, migration_name TEXT);
  CREATE TABLE User (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO User (name) VALUES ('somebody');
  INSERT INTO _prisma_migrations VALUES ('1', '20260101000000_init')`;
const REFERENCE = `CREATE TABLE _prisma_migrations (id TEXT PRIMARY KEY);
  CREATE TABLE memories (id INTEGER PRIMARY KEY, content TEXT); INSERT INTO memories (content) VALUES ('of 1.5')`;

function make(sql: string, journal: "wal" | "delete"): void {
  const db = new Database(`${path}.made`);
  db.pragma(`journal_mode = ${journal}`);
  db.exec(sql);
  copyFileSync(`${path}.made`, path);
  // As a process that was killed leaves it: part of it in the log.
  if (journal === "wal") copyFileSync(`${path}.made-wal`, `${path}-wal`);
  db.close();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}.made${suffix}`, { force: true });
}

/** Every byte and mode there is: of the file, of its log, of the folder. */
const state = () => ({
  folder: statSync(join(path, "..")).mode,
  files: readdirSync(join(path, ".."))
    .filter((name) => /\.db(-wal)?$/.test(name))
    .map((name) => [
      name,
      statSync(join(path, "..", name)).mode,
      readFileSync(join(path, "..", name)).toString("base64"),
    ]),
});

describe("a file that is no store of this release is refused and stays as it is, byte by byte:", () => {
  it.each([
    ["another program's database", OTHER, "delete", /another program/],
    ["another program's database with a log", OTHER, "wal", /another program/],
    ["another program's database that Prisma migrated", BY_PRISMA, "delete", /another program/],
    ["a database of 1.5", REFERENCE, "delete", /mcp-chest-memory 1\.5/],
    ["a database of 1.5 with a log", REFERENCE, "wal", /mcp-chest-memory 1\.5/],
  ] as const)("%s", async (_, sql, journal, message) => {
    make(sql, journal);
    const before = state();
    await expect(openSqliteEngine({ path })).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringMatching(message),
      hint: expect.stringContaining("CHEST_DB_PATH"),
    });
    expect(state()).toEqual(before);
  });

  it.each([
    ["no database at all", Buffer.from("these are my notes, not a database\n".repeat(200))],
    ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, ...Array(4096).fill(7)])],
    ["zeros", Buffer.alloc(8192)],
  ])("%s", async (_, bytes) => {
    writeFileSync(path, bytes);
    const before = state();
    await expect(openSqliteEngine({ path })).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringMatching(/damaged|no SQLite/),
      hint: expect.stringContaining("backup"),
    });
    expect(state()).toEqual(before);
  });

  it("a store whose first page is damaged, or that was cut short", async () => {
    await (await openSqliteEngine({ path })).close();
    const whole = readFileSync(path);
    const damaged = Buffer.from(whole);
    damaged.fill(0xa5, 100, 4096);
    for (const bytes of [damaged, whole.subarray(0, 5000)]) {
      writeFileSync(path, bytes);
      await expect(openSqliteEngine({ path })).rejects.toMatchObject({ name: "CannotOpen" });
      expect(readFileSync(path)).toEqual(bytes);
    }
  });

  it("a folder in the place of the file", async () => {
    mkdirSync(path);
    await expect(openSqliteEngine({ path })).rejects.toMatchObject({ name: "CannotOpen", hint: expect.any(String) });
  });
});
