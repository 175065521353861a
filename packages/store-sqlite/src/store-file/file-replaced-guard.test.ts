import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aCall } from "@chest/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importRecords, openSqliteEngine, type SqliteEngine } from "../index.ts";

let dir: string;
let path: string;
let engine: SqliteEngine;
let warned: unknown[];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-in-place-"));
  path = join(dir, "data", "chest.db");
  warned = [];
  engine = await open();
});
afterEach(async () => {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

function open(): Promise<SqliteEngine> {
  const log = { info: () => undefined, warn: (fields: unknown) => void warned.push(fields) };
  return openSqliteEngine({ path, log });
}

const add = (name: string) =>
  engine
    .as(aCall())
    .write((tx) =>
      tx.entities.findOrAdd({ name, kind: "project", key: undefined, visibility: "team", projectKey: undefined }),
    );

function namesIn(file: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT name FROM entities ORDER BY id").pluck().all();
  } finally {
    db.close();
  }
}

const take = (...suffixes: readonly string[]) => {
  for (const suffix of suffixes) rmSync(path + suffix);
};

const LOSSES: readonly (readonly [what: string, lose: () => void, file: string])[] = [
  [
    "its file was moved and its log removed",
    () => [renameSync(path, `${path}.moved`), take("-wal", "-shm")],
    "chest.db",
  ],
  [
    "its folder was emptied",
    () => {
      for (const name of readdirSync(join(dir, "data"))) rmSync(join(dir, "data", name));
    },
    "chest.db",
  ],
  ["another file has its name", () => [cpSync(path, `${path}.copy`), renameSync(`${path}.copy`, path)], "chest.db"],
  ["its log alone was removed", () => take("-wal"), "chest.db-wal"],
];

describe.each(LOSSES)("a store that is open while %s", (_, lose, file) => {
  it("acknowledges nothing more, and says what the operator does", async () => {
    await add("before");
    lose();
    const refusal = {
      code: "UNAVAILABLE",
      message: expect.stringContaining(`\`${file}\``),
      hint: expect.stringContaining("stops the backend"),
    };
    await expect(add("first")).rejects.toMatchObject(refusal);
    await expect(add("second")).rejects.toMatchObject(refusal);
    await expect(engine.inspect.assertWritable()).rejects.toMatchObject(refusal);
    expect(warned).toContainEqual({ file: join(dir, "data", file) });
  });

  it("is not backed up, and not noted as closed well", async () => {
    await add("before");
    lose();
    await expect(engine.backups.make("scheduled")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await engine.backups.list()).toEqual([]);
    await engine.close();
    expect(readdirSync(dir, { recursive: true }).map(String)).not.toContain("data/chest.db.closed");
  });
});

it("a link to a store is looked after like the store", async () => {
  await engine.close();
  const real = join(dir, "elsewhere.db");
  renameSync(path, real);
  symlinkSync(real, path);
  engine = await open();
  await add("before");
  rmSync(`${real}-wal`);
  await expect(add("after")).rejects.toMatchObject({ message: expect.stringContaining("`elsewhere.db-wal`") });
});

it("what was acknowledged before the log was removed is in the file as soon as that is noticed", async () => {
  await add("before");
  take("-wal");
  await expect(add("after")).rejects.toThrow();
  cpSync(path, join(dir, "as-a-kill-leaves-it.db"));
  expect(namesIn(join(dir, "as-a-kill-leaves-it.db"))).toContain("before");
});

it("a store whose files stay goes on through backups, checkpoints and others that come and go", async () => {
  await add("first");
  await engine.backups.make("manual");
  const other = new Database(path);
  other.pragma("wal_checkpoint(TRUNCATE)");
  other.close();
  await importRecords({ path, records: [], isDry: false, release: "1" });
  await add("second");
  expect(warned).toEqual([]);
});
