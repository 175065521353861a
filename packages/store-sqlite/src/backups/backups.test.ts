import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { aCall, testPorts } from "@chest/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteEngine, type SqliteEngine } from "../index.ts";
import { manifestOf, nameFor } from "../store-file/backup-manifest.ts";
import { backUpStore, listBackups, restoreStore, rotateBackups } from "./index.ts";

let root: string;
let path: string;
let folder: string;
const opened: SqliteEngine[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chest-backups-"));
  path = join(root, "chest.db");
  folder = join(root, "backups");
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
  rmSync(root, { recursive: true, force: true });
});

async function open(): Promise<SqliteEngine> {
  const engine = await openSqliteEngine({ path, backupDir: folder, synchronous: "NORMAL" });
  opened.push(engine);
  return engine;
}

const remember = (engine: SqliteEngine, content: string) =>
  localExecutor(TOOLS, engine, testPorts()).execute(
    "chest_remember",
    { entity_name: "acme", entity_kind: "project", layer: "context", content },
    aCall(),
  );

async function storeWith(contents: readonly string[]): Promise<void> {
  const engine = await open();
  for (const content of contents) await remember(engine, content);
  await engine.close();
}

function contentsOf(file: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT content FROM memories ORDER BY id").pluck().all();
  } finally {
    db.close();
  }
}

// Long enough for pages of its own.
const SOUND = Array.from({ length: 200 }, (_, at) => `a sound store has fact ${at}`).join(", ");

const aBackup = (reason = "manual") => backUpStore({ path, folder, reason });

/** Overwrites the page where this word lies. */
function spoil(file: string, word: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(word);
  expect(at).toBeGreaterThan(0);
  bytes.fill(0xa5, at - (at % 4096), at - (at % 4096) + 4096);
  writeFileSync(file, bytes);
}

/** Changes one bit of what an index says of the rows: each page stays whole, and only a full look notices. */
function spoilIndex(file: string, name: string): void {
  const db = new Database(file, { readonly: true });
  const page = Number(db.prepare("SELECT pageno FROM dbstat WHERE name = ?").pluck().get(name));
  const hash = db.prepare("SELECT content_hash FROM memories").pluck().get() as Buffer | string;
  db.close();
  const bytes = readFileSync(file);
  const at = bytes.indexOf(hash, (page - 1) * 4096);
  expect(Math.ceil(at / 4096)).toBe(page);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

function appended(file: string): string {
  appendFileSync(file, "more");
  return file;
}

describe("a backup", () => {
  it("holds one moment of a store that is written to meanwhile, and says what is in it", async () => {
    const engine = await open();
    for (let at = 0; at < 50; at++) await remember(engine, `before ${at}`);
    let isOver = false;
    const writing = (async () => {
      for (let at = 0; !isOver; at++) await remember(engine, `meanwhile ${at}`);
    })();
    const made = await engine.backups.make("manual");
    isOver = true;
    await writing;

    const kept = contentsOf(made.path);
    expect(kept.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, at) => `before ${at}`));
    expect(made.rows).toMatchObject({ memories: kept.length, memory_text: kept.length });
    expect(made.bytes).toBe(statSync(made.path).size);
    expect(JSON.parse(readFileSync(manifestOf(made.path), "utf8"))).toMatchObject({
      sha256: made.sha256,
      reason: "manual",
    });
    expect(readdirSync(folder).sort()).toEqual([made.file, `${made.file}.json`]);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it("of a damaged store is none: it is refused, and what was there before stays", async () => {
    await storeWith([SOUND]);
    const first = await aBackup();
    spoil(path, "a sound store");

    await expect(aBackup()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect((await listBackups(folder)).map(({ file }) => file)).toEqual([first.file]);
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
  });

  it("that finds the open store damaged ends its writing, and says what the operator does", async () => {
    const engine = await open();
    await remember(engine, SOUND);
    await engine.close();
    const again = await open();
    spoil(path, "a sound store");

    await expect(again.backups.make("scheduled")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(remember(again, "after the damage")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      hint: expect.stringContaining("chest-index restore"),
    });
  });

  it("that is given up leaves nothing behind", async () => {
    await storeWith(["kept"]);
    const stop = AbortSignal.abort();
    await expect(backUpStore({ path, folder, reason: "manual", signal: stop })).rejects.toThrow();
    expect(await listBackups(folder)).toEqual([]);
  });
});

describe("rotation", () => {
  const at = (day: string, reason = "scheduled") => {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, nameFor({ madeAt: new Date(`${day}Z`), reason }));
    writeFileSync(file, "a backup");
    writeFileSync(manifestOf(file), "{}");
  };
  const left = async () => (await listBackups(folder)).map(({ madeAt }) => madeAt.toISOString().slice(5, 16));

  it("keeps the newest of each of the last days and weeks, and every copy before a migration", async () => {
    for (let day = 1; day <= 30; day++) at(`2026-06-${String(day).padStart(2, "0")}T03:00:00`);
    at("2026-06-30T09:00:00");
    at("2026-01-01T00:00:00", "before-0002_search");

    const gone = await rotateBackups(folder, { daily: 3, weekly: 3 });

    expect(await left()).toEqual(["06-30T09:00", "06-29T03:00", "06-28T03:00", "06-21T03:00", "01-01T00:00"]);
    expect(gone).toHaveLength(27);
    expect(readdirSync(folder)).toHaveLength(10);
  });

  it("keeps what was made by hand for a day, however many follow it", async () => {
    const now = new Date();
    const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString().slice(0, 19);
    at(minutesAgo(30), "manual");
    at(minutesAgo(20), "manual");
    at(minutesAgo(10));
    at(minutesAgo(3 * 24 * 60), "manual");
    const gone = await rotateBackups(folder, { daily: 1, weekly: 0 });
    expect(gone.map(({ madeAt }) => madeAt.toISOString().slice(0, 19))).toEqual([minutesAgo(3 * 24 * 60)]);
  });

  it("takes what a killed process left unfinished, and not what may be under way", async () => {
    at("2026-06-30T03:00:00");
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const names = (["a", "b"] as const).map((reason) => `${nameFor({ madeAt: new Date(0), reason })}.part`);
    const [old = "", young = ""] = names;
    for (const name of [old, `${old}-journal`, young, "mine.part"]) writeFileSync(join(folder, name), "half");
    for (const name of [old, `${old}-journal`, "mine.part"]) utimesSync(join(folder, name), hoursAgo(2), hoursAgo(2));

    expect(await rotateBackups(folder, { daily: 3, weekly: 3 })).toEqual([]);

    expect(
      readdirSync(folder)
        .filter((name) => name.includes(".part"))
        .toSorted(),
    ).toEqual([young, "mine.part"].toSorted());
  });

  it("never takes the last one, nor a file of somebody else", async () => {
    at("2020-01-01T00:00:00");
    writeFileSync(join(folder, "notes.db"), "mine");
    await rotateBackups(folder, { daily: 0, weekly: 0 });
    expect(readdirSync(folder)).toHaveLength(3);
  });
});

describe("a restore", () => {
  it("brings back what was there, keeps what is replaced, and takes away the log beside it", async () => {
    await storeWith(["first", "second"]);
    const backup = await aBackup();
    await storeWith(["third"]);
    // As a process that was killed leaves it: the last rows are in the log alone.
    const engine = await open();
    await remember(engine, "fourth");
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, `${root}/crashed${suffix}`);
    await engine.close();
    for (const suffix of ["", "-wal"]) copyFileSync(`${root}/crashed${suffix}`, path + suffix);

    const restored = await restoreStore({ path, from: backup.path });

    expect(restored).toMatchObject({
      rowsBefore: 4,
      rowsAfter: 2,
      keptOld: expect.stringContaining("chest.db.replaced-"),
    });
    expect(contentsOf(restored.keptOld ?? "")).toEqual(["first", "second", "third", "fourth"]);
    expect(existsSync(`${path}-wal`)).toBe(false);
    const again = await open();
    await remember(again, "fifth");
    await again.close();
    expect(contentsOf(path)).toEqual(["first", "second", "fifth"]);
  });

  it("takes the place of a damaged store, which is kept with its log", async () => {
    await storeWith([SOUND]);
    const backup = await aBackup();
    spoil(path, "a sound store");
    const damaged = readFileSync(path);
    await expect(open()).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringContaining("damaged"),
      hint: expect.stringContaining(`chest-index restore ${backup.path} --yes`),
    });

    const { rowsBefore, keptOld } = await restoreStore({ path, from: backup.path });

    expect(rowsBefore).toBeUndefined();
    expect(readFileSync(keptOld ?? "")).toEqual(damaged);
    await (await open()).close();
  });

  it("leaves the log beside a store whose index alone disagrees with its rows: a damaged file is not written to", async () => {
    await storeWith([SOUND]);
    const backup = await aBackup();
    const db = new Database(path);
    db.prepare("INSERT INTO meta (key, value) VALUES ('a write', 'in the log')").run();
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, `${root}/crashed${suffix}`);
    db.close();
    for (const suffix of ["", "-wal"]) copyFileSync(`${root}/crashed${suffix}`, path + suffix);
    spoilIndex(path, "memories_same_words");
    const [damaged, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
    await expect(open()).rejects.toMatchObject({ message: expect.stringContaining("damaged") });

    const { keptOld } = await restoreStore({ path, from: backup.path });

    expect(readFileSync(keptOld ?? "").equals(damaged)).toBe(true);
    expect(readFileSync(`${keptOld}-wal`).equals(log)).toBe(true);
    await (await open()).close();
  });

  it("works where there is no store yet, and from a file that was copied with its log", async () => {
    const engine = await open();
    await remember(engine, "in the log");
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, `${root}/by-hand.db${suffix}`);
    await engine.close();
    path = join(root, "new place", "chest.db");
    const restored = await restoreStore({ path, from: `${root}/by-hand.db` });
    expect(restored).toMatchObject({ rowsBefore: undefined, rowsAfter: 1, keptOld: undefined });
    expect(contentsOf(path)).toEqual(["in the log"]);
  });

  it("is refused while a backend has the store open, and changes nothing", async () => {
    await storeWith(["first"]);
    const backup = await aBackup();
    const engine = await open();
    await remember(engine, "second");
    await expect(restoreStore({ path, from: backup.path })).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringContaining("another process has"),
      hint: expect.stringContaining("stop the backend"),
    });
    expect(contentsOf(path)).toEqual(["first", "second"]);
  });

  const BAD: Record<string, readonly [spoiled: (file: string) => string, says: RegExp]> = {
    "is not there": [() => join(root, "nowhere.db"), /there is no file/],
    "is a folder": [() => root, /is a folder/],
    "is the store itself": [() => path, /the store itself/],
    "was changed after it was made": [appended, /not the file that its manifest/],
    "is damaged and has no manifest": [
      (file) => {
        rmSync(manifestOf(file));
        spoil(file, "a sound store");
        return file;
      },
      /damaged/,
    ],
    "is no database": [
      () => {
        writeFileSync(join(root, "notes.db"), "my notes\n".repeat(1000));
        return join(root, "notes.db");
      },
      /not an SQLite database/,
    ],
    "is of a newer release": [
      (file) => {
        rmSync(manifestOf(file));
        const db = new Database(file);
        db.exec("INSERT INTO chest_migrations VALUES ('9999_tomorrow', 'x', 0)");
        db.close();
        return file;
      },
      /newer release/,
    ],
    "is empty": [
      () => {
        writeFileSync(join(root, "empty.db"), "");
        return join(root, "empty.db");
      },
      /holds no store/,
    ],
  };

  it.each(Object.keys(BAD))("is refused, and changes nothing, from a file that %s", async (name) => {
    await storeWith([SOUND]);
    const backup = await aBackup();
    utimesSync(path, 1000, 1000);
    const before = readFileSync(path);
    const [spoiled, says] = BAD[name] ?? [() => "", /never/];
    await expect(restoreStore({ path, from: spoiled(backup.path) })).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringMatching(says),
    });
    expect(readFileSync(path)).toEqual(before);
    expect(statSync(path).mtimeMs).toBe(1_000_000);
    expect(readdirSync(root).filter((file) => /restoring|replaced/.test(file))).toEqual([]);
  });

  it("can be tried first, and then replaces nothing", async () => {
    await storeWith(["first"]);
    const backup = await aBackup();
    await storeWith(["second"]);
    expect(await restoreStore({ path, from: backup.path, isCheck: true })).toMatchObject({
      rowsBefore: 2,
      rowsAfter: 1,
      keptOld: undefined,
    });
    expect(contentsOf(path)).toEqual(["first", "second"]);
  });
});
