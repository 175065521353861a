import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { aCall } from "@chest/testing";
import Database from "better-sqlite3";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openSqliteEngine } from "../index.ts";
import { type Migration, readMigrations } from "./migrations.ts";

const root = mkdtempSync(join(tmpdir(), "chest-migrate-"));
let count = 0;
let path = "";
beforeEach(() => {
  count += 1;
  path = join(root, String(count), "chest.db");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  sha256: createHash("sha256").update(sql).digest("hex"),
});
const open = (migrations?: readonly Migration[]) => openSqliteEngine({ path, migrations, synchronous: "NORMAL" });

function read<T>(work: (db: Database.Database) => T, file = path): T {
  const db = new Database(file, { readonly: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
const schema = (file = path) =>
  read((db) => db.prepare("SELECT sql FROM sqlite_master ORDER BY name").pluck().all(), file);
const applied = () => read((db) => db.prepare("SELECT name FROM chest_migrations ORDER BY name").pluck().all());

async function addEntities(names: readonly string[]): Promise<void> {
  const engine = await open();
  for (const name of names) {
    await engine
      .as(aCall())
      .write((tx) =>
        tx.entities.findOrAdd({ name, kind: "project", key: undefined, visibility: "team", projectKey: undefined }),
      );
  }
  await engine.close();
}

/** A process of its own that opens the store, writes one entity and closes. */
async function inProcess(name: string): Promise<string> {
  const script = `
    import { openSqliteEngine } from "@chest/store-sqlite";
    const engine = await openSqliteEngine({ path: process.argv[1], synchronous: "NORMAL" });
    const caller = { member: { id: 1, name: "shared" }, scopes: new Set(), project: undefined, client: { name: "t", version: "1" } };
    const call = { caller, requestId: "r", signal: new AbortController().signal };
    const made = await engine.as(call).write((tx) => tx.entities.findOrAdd({ name: process.argv[2], kind: "project", key: undefined, visibility: "team", projectKey: undefined }));
    console.log(made.entity.id > 0 ? "made" : "not made");
    await engine.close();`;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, "--", path, name], { cwd });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out.trim() || err;
}

describe("opening", () => {
  it("works for six processes that open one new file at once", { timeout: 60_000 }, async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => inProcess(`entity ${i}`)));
    expect(answers).toEqual(Array(6).fill("made"));
    expect(applied()).toEqual(readMigrations().map(({ name }) => name));
    expect(read((db) => db.prepare("SELECT count(*) FROM entities").pluck().get())).toBe(6);
    expect(read((db) => db.pragma("integrity_check", { simple: true }))).toBe("ok");
  });

  it("twice changes nothing the second time, and makes no backup", async () => {
    await addEntities(["first"]);
    const before = schema();
    await addEntities(["second"]);
    expect(schema()).toEqual(before);
    expect(existsSync(join(path, "../backups"))).toBe(false);
    expect(read((db) => db.prepare("SELECT value FROM meta WHERE key = 'schema_version'").pluck().get())).toBe(
      readMigrations().at(-1)?.name,
    );
  });

  it("a database of a newer release is refused, with both names", async () => {
    const newer = migration("9999_later", "CREATE TABLE later (id INTEGER PRIMARY KEY)");
    await (await open([...readMigrations(), newer])).close();
    const before = schema();
    const newest = readMigrations().at(-1)?.name ?? "";
    await expect(open()).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringMatching(new RegExp(`newer release.*9999_later.*${newest}`)),
      hint: expect.stringContaining("newer release"),
    });
    expect(schema()).toEqual(before);
  });

  it("a migration that is not the one applied is refused by its name", async () => {
    await addEntities(["kept"]);
    const [first, ...others] = readMigrations();
    const changed = migration(first?.name ?? "", `${first?.sql}\n-- changed`);
    await expect(open([changed, ...others])).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringContaining(changed.name),
    });
    await (await open()).close();
  });
});

describe("a migration of a store that holds something", () => {
  const next = migration("9000_next", "ALTER TABLE entities ADD COLUMN next TEXT");

  it("is preceded by a backup that opens and holds what was written last", async () => {
    const engine = await open();
    await engine.as(aCall()).write((tx) =>
      tx.entities.findOrAdd({
        name: "a moment ago",
        kind: "file",
        key: undefined,
        visibility: "team",
        projectKey: undefined,
      }),
    );
    // As a process that was killed leaves it: the last rows are in the log alone.
    const crashed = join(path, "../crashed.db");
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, crashed + suffix);
    await engine.close();
    path = crashed;
    await (await open([...readMigrations(), next])).close();
    const backups = readdirSync(join(path, "../backups")).filter((name) => name.endsWith(".db"));
    expect(backups).toEqual([expect.stringMatching(/^chest-.*-before-9000_next\.db$/)]);
    const backup = join(path, "../backups", backups[0] ?? "");
    expect(read((db) => db.prepare("SELECT name FROM entities").pluck().all(), backup)).toEqual(["a moment ago"]);
    expect(read((db) => db.pragma("table_info(entities)"), backup)).not.toContainEqual(
      expect.objectContaining({ name: "next" }),
    );
    expect(read((db) => db.pragma("table_info(entities)"))).toContainEqual(expect.objectContaining({ name: "next" }));
  });

  it("that fails leaves the schema as it was, and the store opens as before", async () => {
    await addEntities(["kept"]);
    const before = schema();
    const broken = migration("9001_broken", "CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1);");
    await expect(open([...readMigrations(), next, broken])).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringContaining("9001_broken"),
    });
    expect(applied()).toEqual([...readMigrations().map(({ name }) => name), "9000_next"]);
    expect(schema().filter((sql) => String(sql).includes("half"))).toEqual([]);
    rmSync(path);
    const backup = readdirSync(join(path, "../backups")).find((name) => name.endsWith(".db")) ?? "";
    copyFileSync(join(path, "../backups", backup), path);
    expect(schema()).toEqual(before);
    await addEntities(["after"]);
    expect(read((db) => db.prepare("SELECT name FROM entities ORDER BY id").pluck().all())).toEqual(["kept", "after"]);
  });

  it("waits until everybody has left the store", async () => {
    const staying = await open();
    const late = open([...readMigrations(), next]);
    await staying.as(aCall()).write((tx) =>
      tx.entities.findOrAdd({
        name: "still here",
        kind: "file",
        key: undefined,
        visibility: "team",
        projectKey: undefined,
      }),
    );
    expect(applied()).not.toContain("9000_next");
    await staying.close();
    await (await late).close();
    expect(applied()).toContain("9000_next");
  });
});
