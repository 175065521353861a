import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backUpStore, restoreStore } from "../backups/index.ts";
import { openSqliteEngine } from "../index.ts";
import { apply, readEarlier, readMigrations } from "./migrations.ts";

let folder: string;
let path: string;
let warned: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chest-prisma-"));
  path = join(folder, "chest.db");
  warned = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const log = { info: () => undefined, warn: (_: object, message: string) => void warned.push(message) };
const start = async () => (await openSqliteEngine({ path, searchThreads: 0, synchronous: "NORMAL", log })).close();

function inFile<T>(work: (db: Database.Database) => T, file = path): T {
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
const recorded = (file?: string) =>
  inFile((db) => db.prepare("SELECT migration_name FROM _prisma_migrations ORDER BY 1").pluck().all(), file);
const NAMES = readMigrations().map(({ name }) => name);

describe("Prisma's record of migrations", () => {
  it("is made for a store of the release before, which is not one of 1.5 for it", async () => {
    inFile((db) => apply(db, readEarlier()));
    await start();
    expect(recorded()).toEqual(NAMES);
    await start();
    expect(warned).toEqual([]);
  });

  it("is made by the next start where a start was killed after the ledger was written", async () => {
    inFile((db) => apply(db, readMigrations()));
    await start();
    expect(recorded()).toEqual(NAMES);
  });

  it("is made by one of several that start at once", async () => {
    await start();
    inFile((db) => db.exec("DROP TABLE _prisma_migrations"));
    await Promise.all([start(), start(), start()]);
    expect(recorded()).toEqual(NAMES);
    expect(warned).toEqual([]);
  });

  it("comes back with a backup, and is made for one that has none", async () => {
    await start();
    const backup = await backUpStore({ path, folder: join(folder, "backups"), reason: "manual" });
    await restoreStore({ path, from: backup.path });
    expect(recorded()).toEqual(NAMES);
    const older = join(folder, "older.db");
    copyFileSync(path, older);
    inFile((db) => db.exec("DROP TABLE _prisma_migrations"), older);
    await restoreStore({ path, from: older });
    await start();
    expect(recorded()).toEqual(NAMES);
  });

  it("that cannot be made is said, and the store opens", async () => {
    await start();
    inFile((db) =>
      db.exec(`DELETE FROM _prisma_migrations WHERE migration_name = '1000_init';
        CREATE TRIGGER refuse BEFORE INSERT ON _prisma_migrations BEGIN SELECT RAISE(ABORT, 'no'); END`),
    );
    await start();
    expect(warned).toEqual([expect.stringMatching(/_prisma_migrations could not be made a copy of the ledger/)]);
    expect(recorded()).toEqual(NAMES.slice(1));
  });
});
