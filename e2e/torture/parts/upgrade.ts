import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readEarlier } from "@chest/store-sqlite/migrations";
import Database from "better-sqlite3";
import { ask } from "../../support/clients/doors.ts";
import { freePort } from "../../support/free-port.ts";
import { NODE_24, ROOT, startProgram } from "../../support/process.ts";
import { findFaults, withStoreFile } from "../../support/store-file.ts";
import { type Acknowledged, aFact, countLost, operate, operatorOf, patientDoor, storeAll } from "../common.ts";
import type { Part, Rig } from "../part.ts";

const MEMORIES = 60;
const MIGRATIONS = readEarlier();
/** Tables that are rebuilt from the rows, or that belong to the process that writes them. */
const DERIVED =
  /^(sqlite_|memory_fts|memory_terms|memory_term_places|chest_migrations|_prisma_migrations|vector_changes|memory_text_changes)/;

interface Filled {
  readonly file: string;
  readonly kept: Acknowledged;
}

/** Part that upgrades stores of earlier releases. */
export const upgrade: Part = {
  name: "upgrade",
  does: "a store with data at every earlier migration, opened by this release, and killed while it migrates",
  holds: [
    {
      says: "every memory keeps its id, content, tags and project, and words find it",
      guards: [
        {
          name: "a migration keeps existing data",
          edits: [
            {
              file: "packages/store-sqlite/src/database/migrations.ts",
              find: "db.exec(sql);",
              put: 'db.exec(sql); db.exec("DELETE FROM memory_tags");',
            },
          ],
          shows: /tags are gone/,
        },
        {
          name: "the words of an earlier release are indexed again",
          edits: [
            {
              file: "packages/store-sqlite/src/full-text/retokenize.ts",
              find: "if (done?.value === SEGMENTER_VERSION) return 0;",
              put: "if (done?.value !== SEGMENTER_VERSION) connection.run(DONE, SEGMENTER_VERSION);\n  if (SEGMENTER_VERSION) return 0;",
            },
          ],
          shows: /words do not find/,
        },
      ],
    },
    {
      says: "a verified backup of the old store lies beside it",
      guards: [
        {
          name: "a backup before a migration",
          edits: [
            {
              file: "packages/store-sqlite/src/open.ts",
              find: "if (appliedTo(db).length > 0) {",
              put: "if (appliedTo(db).length < 0) {",
            },
          ],
          shows: /no backup/,
        },
      ],
    },
    {
      says: "rows, texts and index agree",
      guards: [
        {
          name: "a text goes into the index with its row",
          edits: [
            {
              file: "packages/store-sqlite/src/full-text/retokenize.ts",
              find: "(task) => turn.defer(() => task(connection))",
              put: "() => undefined",
            },
          ],
          shows: /not in the index|text index/,
        },
      ],
    },
    {
      says: "killed at any moment, the store is migrated by the next start",
      guards: [
        {
          name: "a migration is one transaction with its note",
          edits: [
            { file: "packages/store-sqlite/src/database/migrations.ts", find: 'db.exec("BEGIN IMMEDIATE");', put: "" },
            { file: "packages/store-sqlite/src/database/migrations.ts", find: 'db.exec("COMMIT");', put: "" },
            {
              file: "packages/store-sqlite/src/database/migrations.ts",
              find: "db.exec(sql);",
              put: "db.exec(sql); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);",
            },
          ],
          shows: /killed while it migrated/,
        },
      ],
    },
  ],
  rounds: { long: 8, short: 1, unguarded: 1 },
  counted: "kills at each migration",

  async run(rig) {
    const faults: string[] = [];
    const counts = { "earlier migrations": MIGRATIONS.length, upgraded: 0, memories: 0, killed: 0 };
    const filled = await fill(rig);
    // In short runs, only the oldest and one random later release are tried.
    const all = MIGRATIONS.map((_, at) => at + 1);
    const later = 2 + Math.floor(rig.random() * (all.length - 1));
    const chosen = rig.effort === "long" ? all : [1, later];
    for (const applied of chosen) {
      const last = MIGRATIONS[applied - 1]?.name ?? "";
      const found = await opensFrom(rig, filled, applied);
      counts.upgraded++;
      counts.memories += filled.kept.size;
      for (let time = 0; time < rig.rounds && !rig.isShown(faults); time++) {
        found.push(...(await killedWhileItMigrates(rig, filled, applied)));
        counts.killed++;
      }
      faults.push(...found.map((fault) => `from ${last}: ${fault}`));
      if (rig.isShown(faults)) break;
    }
    return { figures: counts, faults };
  },
};

/** Makes a store of this release with every kind of data that a caller can store. */
async function fill(rig: Rig): Promise<Filled> {
  const dir = rig.folder();
  const backend = await rig.start({ dataDir: dir });
  const kept = await storeAll(
    backend,
    Array.from({ length: MEMORIES }, (_, at) => `the lighthouse number ${at} was painted`),
  );
  const project = patientDoor(backend, { "x-chest-project": "github.com/acme/api" });
  const tagged = { ...aFact("the heron of the project stands still"), tags: ["bird", "water"] };
  const [first] = kept.keys();
  const { memory_id } = await ask(project, "chest_remember", tagged);
  kept.set(memory_id as number, tagged.content);
  await ask(patientDoor(backend), "chest_update_memory", {
    memory_id: first,
    content: "the first lighthouse is white now",
  });
  kept.set(first as number, "the first lighthouse is white now");
  await backend.stop();
  await operate(rig, dir, "token", "create", "--member", "alice");
  return { file: join(dir, "chest.db"), kept };
}

/** Makes a store of an earlier release with this many migrations: its schema, and those of today's rows that fit. */
function storeAt(rig: Rig, { file }: Filled, applied: number): string {
  const dir = rig.folder();
  const db = new Database(join(dir, "chest.db"));
  const fresh = new Database(":memory:");
  // As in the product's migrations, foreign keys are off, because a table that others refer to may be rebuilt.
  for (const each of [db, fresh]) each.pragma("foreign_keys = OFF");
  for (const { sql } of MIGRATIONS) fresh.exec(sql);
  db.pragma("journal_mode = WAL");
  db.exec(
    "CREATE TABLE chest_migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) WITHOUT ROWID",
  );
  const note = db.prepare("INSERT INTO chest_migrations VALUES (?, ?, unixepoch())");
  for (const { name, sql, sha256 } of MIGRATIONS.slice(0, applied)) {
    db.exec(sql);
    note.run(name, sha256);
  }
  db.prepare("ATTACH ? AS today").run(file);
  for (const table of db
    .prepare("SELECT name FROM main.sqlite_master WHERE type = 'table'")
    .pluck()
    .all() as string[]) {
    if (DERIVED.test(table)) continue;
    const shared = columnsOf(db, "main", table).filter((name) => columnsOf(db, "today", table).includes(name));
    const names = shared.map((name) => `"${name}"`).join(", ");
    if (names === "") continue;
    // Rows that a later migration inserts are not copied.
    const [first = ""] = shared;
    const later = pluck(fresh, `SELECT "${first}" FROM "${table}"`).filter(
      (key) => !pluck(db, `SELECT "${first}" FROM main."${table}"`).includes(key),
    );
    const without = later.map(() => "?").join(", ");
    db.prepare(
      `INSERT OR REPLACE INTO main."${table}" (${names}) SELECT ${names} FROM today."${table}" WHERE "${first}" NOT IN (${without})`,
    ).run(...later);
  }
  fresh.close();
  if (!columnsOf(db, "main", "entities").includes("space")) joinNamesakes(db);
  db.prepare("INSERT OR REPLACE INTO main.meta (key, value) VALUES ('schema_version', ?)").run(
    MIGRATIONS[applied - 1]?.name,
  );
  db.exec("DETACH today");
  // Without the table of texts, no setting may say which segmenter split them.
  if (columnsOf(db, "main", "memory_text").length === 0) db.exec("DELETE FROM meta WHERE key = 'segmenter_version'");
  const hasIndex = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'memory_fts'").get() !== undefined;
  if (hasIndex) db.exec("INSERT INTO memory_fts (memory_fts) VALUES ('rebuild')");
  db.close();
  return dir;
}

/**
 * Merges entities of equal kind and name, since early releases had no spaces for entities: rows of all of them go to
 * the one that remains.
 */
function joinNamesakes(db: Database.Database): void {
  for (const table of ["memories", "events", "consolidations"]) {
    if (columnsOf(db, "main", table).length === 0) continue;
    db.exec(`UPDATE main."${table}" SET entity_id = left_over.id FROM main.entities left_over, today.entities was
      WHERE was.id = entity_id AND left_over.kind = was.kind AND left_over.normalised_name = was.normalised_name`);
  }
}

const pluck = (db: Database.Database, sql: string) => db.prepare(sql).pluck().all();

/** Lists a table's writable columns; empty without such a table. */
const columnsOf = (db: Database.Database, schema: string, table: string) =>
  db.prepare(`SELECT name FROM pragma_table_xinfo(?, ?) WHERE hidden = 0`).pluck().all(table, schema) as string[];

async function opensFrom(rig: Rig, filled: Filled, applied: number): Promise<string[]> {
  const dir = storeAt(rig, filled, applied);
  const backend = await rig.start({ dataDir: dir }).catch((error: Error) => error.message);
  if (typeof backend === "string")
    return [`it does not open: ${/migration \S+ failed|damaged|not the one/.exec(backend)?.[0]}`];
  const door = patientDoor(backend);
  const faults: string[] = [];
  await textsMade(join(dir, "chest.db"));
  const lost = await countLost(door, filled.kept);
  if (lost > 0) faults.push(`${lost} memories are not there, or changed`);
  const questions = { "lighthouse 17 painted": undefined, "heron of the project": "github.com/acme/api" };
  for (const [query, project] of Object.entries(questions)) {
    const asked = patientDoor(backend, project === undefined ? {} : { "x-chest-project": project });
    const { memories } = await ask(asked, "chest_recall", { query, limit: 3 });
    if ((memories as unknown[]).length === 0) faults.push(`words do not find what they found (${query.split(" ")[0]})`);
  }
  const heron = [...filled.kept.keys()].at(-1);
  const inProject = patientDoor(backend, { "x-chest-project": "github.com/acme/api" });
  const { memories } = await ask(inProject, "chest_recall", { ids: [heron], format: "raw" });
  if (!JSON.stringify(memories).includes("bird")) faults.push("tags are gone");
  await backend.stop();
  faults.push(...findFaults(join(dir, "chest.db")));
  const backups = existsSync(join(dir, "backups"))
    ? readdirSync(join(dir, "backups")).filter((name) => name.endsWith(".db"))
    : [];
  if (!backups.some((name) => name.includes("before-"))) faults.push("there is no backup of what it was");
  for (const name of backups) {
    const { exitCode } = await operate(rig, dir, "restore", join(dir, "backups", name), "--check");
    if (exitCode !== 0) faults.push(`the backup of what it was does not restore (${exitCode})`);
  }
  return faults;
}

/** Waits until the background rebuild of the text rows is complete. */
async function textsMade(store: string): Promise<void> {
  const made = () =>
    withStoreFile(store, (db) => db.prepare("SELECT 1 FROM meta WHERE key = 'segmenter_version'").get());
  for (let ms = 0; ms < 10_000 && made() === undefined; ms += 50) await sleep(50);
}

async function killedWhileItMigrates(rig: Rig, filled: Filled, applied: number): Promise<string[]> {
  const dir = storeAt(rig, filled, applied);
  const store = join(dir, "chest.db");
  const settings = {
    CHEST_PORT: String(await freePort()),
    CHEST_BIND_HOST: "127.0.0.1",
    CHEST_API_TOKEN: "t".repeat(40),
  };
  const program = startProgram(NODE_24, [join(ROOT, "apps/server/src/main.ts")], {
    ...operatorOf(rig, dir),
    ...settings,
  });
  // Waits until the first migration can begin.
  for (let ms = 0; ms < 20_000 && !existsSync(`${store}.lock`) && program.process.exitCode === null; ms += 2)
    await sleep(2);
  await sleep(rig.random() * (rig.effort === "unguarded" ? 900 : 150));
  await program.end("SIGKILL");
  if (!existsSync(store)) return ["killed while it migrated, the store is gone"];
  const backend = await rig.start({ dataDir: dir }).catch((error: Error) => error.message);
  if (typeof backend === "string")
    return [`killed while it migrated, it does not open: ${/failed|damaged|not the one/.exec(backend)?.[0] ?? "?"}`];
  await textsMade(store);
  const lost = await countLost(patientDoor(backend), filled.kept);
  await backend.stop();
  return [
    ...(lost > 0 ? [`killed while it migrated, ${lost} memories are not there, or changed`] : []),
    ...findFaults(store).map((fault) => `killed while it migrated: ${fault}`),
  ];
}
