import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aCall, aCaller } from "@chest/testing";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apply, type Migration, readEarlier } from "../database/migrations.ts";
import { openSqliteEngine } from "../index.ts";

const root = mkdtempSync(join(tmpdir(), "chest-entity-spaces-"));
const path = join(root, "chest.db");
const now = Math.floor(Date.now() / 1000);
let db: Database.Database;

/** A store of the release before, where entity 1 is told of in three spaces, first in private, and 2 in one. */
beforeAll(async () => {
  makeOld(readEarlier().filter(({ name }) => name < "0090"));
  await (await openSqliteEngine({ path, synchronous: "NORMAL" })).close();
  db = new Database(path);
});
afterAll(() => {
  db.close();
  rmSync(root, { recursive: true, force: true });
});

function makeOld(migrations: readonly Migration[]): void {
  const old = new Database(path);
  apply(old, migrations);
  old.pragma("foreign_keys = OFF");
  const entity = old.prepare(
    `INSERT INTO entities (id, uid, kind, name, normalised_name, folded_name, canonical_key, momentum_score, events_total,
       first_event_at, created_at, updated_at) VALUES (?, ?, 'project', ?, ?, ?, ?, 7, 9, ?, ?, ?)`,
  );
  for (const [id, name, key] of [
    [1, "parted", "parted.example"],
    [2, "whole", "whole.example"],
    [3, "bare", null],
  ] as const)
    entity.run(id, `uid-${id}`, name, name, name, key, now, now, now);
  old.exec(`INSERT INTO entity_aliases (kind, normalised_name, entity_id) VALUES ('project', 'other name', 1)`);
  const memory = old.prepare(
    `INSERT INTO memories (id, uid, entity_id, author_id, visibility, space, content, content_hash, content_sha1,
       segmenter_version, layer, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?, 'words', ?, '', '', 'learning', ?, ?)`,
  );
  const event = old.prepare(
    "INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (?, 'memory_stored', ?, ?)",
  );
  for (const [id, entityId, visibility, space] of [
    [1, 1, "private", "m7"],
    [2, 1, "team", "team"],
    [3, 1, "team", "team"],
    [4, 1, "project", "p1"],
    [5, 2, "team", "team"],
  ] as const) {
    memory.run(id, `m-${id}`, entityId, visibility, space, `h${id}`, now - id, now);
    event.run(entityId, JSON.stringify({ memory_id: id }), now - id);
  }
  old.exec(
    `INSERT INTO consolidations (summary_id, replaced_ids, replaced_count, entity_id, original_layer, created_at) VALUES (4, '[]', 0, 1, 'context', 0)`,
  );
  old.close();
}

const all = (sql: string) => db.prepare(sql).all();

it("an upgrade gives every space entities of its own, and each memory that of its space", () => {
  expect(all("SELECT space, name, canonical_key AS key, events_total AS events FROM entities ORDER BY id")).toEqual([
    { space: "m7", name: "parted", key: "parted.example", events: 1 },
    { space: "team", name: "whole", key: "whole.example", events: 9 },
    { space: "", name: "bare", key: null, events: 9 },
    { space: "team", name: "parted", key: null, events: 2 },
    { space: "p1", name: "parted", key: null, events: 1 },
  ]);
  expect(all("SELECT m.id FROM memories m JOIN entities e ON e.id = m.entity_id WHERE e.space = m.space")).toHaveLength(
    5,
  );
  expect(all("SELECT uid FROM entities WHERE uid LIKE 'uid-_' ORDER BY id")).toHaveLength(3);
});

it("an upgrade takes along what hangs on entities", () => {
  expect(all("PRAGMA foreign_key_check")).toEqual([]);
  expect(all("SELECT e.space FROM consolidations c JOIN entities e ON e.id = c.entity_id")).toEqual([{ space: "p1" }]);
  expect(all("SELECT space, normalised_name FROM entity_aliases")).toEqual([
    { space: "m7", normalised_name: "other name" },
  ]);
  expect(
    all(`SELECT v.id FROM events v JOIN memories m ON m.id = json_extract(v.payload, '$.memory_id')
      WHERE v.entity_id <> m.entity_id`),
  ).toEqual([]);
});

it("after an upgrade, what is written goes to the entity of its space", async () => {
  const engine = await openSqliteEngine({ path, synchronous: "NORMAL" });
  const find = (visibility: "team" | "private") =>
    engine
      .as(aCall({ caller: aCaller({ member: { id: 7, name: "alice" }, project: undefined }) }))
      .write((tx) =>
        tx.entities.findOrAdd({ name: "Parted", kind: "project", key: undefined, visibility, projectKey: undefined }),
      );
  expect((await find("private")).entity).toMatchObject({ id: 1, canonicalKey: "parted.example" });
  expect((await find("team")).entity).toMatchObject({ canonicalKey: undefined, momentum: 0 });
  await engine.close();
});
