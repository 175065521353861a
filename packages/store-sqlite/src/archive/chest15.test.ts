import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ArchiveRecord,
  archiveLines,
  type ImportReport,
  readArchive,
  type SkippedRecord,
} from "@chest/core/archive";
import { KNOWN_IDENTITIES } from "@chest/core/embedding";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importRecords, openSqliteEngine, readChest15 } from "../index.ts";
import { CHEST15_IDS, CHEST15_NOW, CHEST15_SECRET, makeChest15 } from "../testing/chest15.ts";
import { exportedFrom } from "../testing/exported.ts";

let dir: string;
let source: string;
let store: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-import-"));
  source = join(dir, "old.db");
  store = join(dir, "chest.db");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const NOW = new Date(CHEST15_NOW * 1000);
type Records = Iterable<ArchiveRecord | SkippedRecord> | AsyncIterable<ArchiveRecord | SkippedRecord>;
const bring = (records: Records, over: { path?: string; isDry?: boolean; project?: string } = {}) =>
  importRecords({ path: store, isDry: false, release: "0", records, clock: { now: () => NOW }, ...over });
const bringOld = (over = {}): Promise<ImportReport> => bring(readChest15(source, NOW), over);

function rows<T>(sql: string, path = store): T[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(sql).all() as T[];
  } finally {
    db.close();
  }
}
interface MemoryCells {
  readonly id: number;
  readonly content: string;
}
const memory = (id: number) =>
  rows<MemoryCells & Record<string, unknown>>(`SELECT * FROM memories WHERE id = ${id}`)[0];

/** Everything a store holds that an import may change, as one text. */
const contentOf = (path = store) =>
  ["memories", "entities", "memory_text", "memory_links", "session_file_edits", "consolidations", "events"]
    .map((table) => JSON.stringify(rows(`SELECT * FROM ${table}`, path)))
    .join("\n");

const IMPORTED = 12;

describe("a database of 1.5", () => {
  beforeEach(() => makeChest15(source));

  it("comes in with its ids, times, layers, importances and counts", async () => {
    const report = await bringOld();

    expect(report).toMatchObject({ keptIds: true, memories: { inserted: IMPORTED, unchanged: 0, left: 3 } });
    const old = CHEST15_NOW - 200 * 86_400;
    expect(memory(CHEST15_IDS.plain)).toMatchObject({
      content: "the gateway lives on host nine",
      layer: "learning",
      importance: 0.5,
      created_at: old + 3,
      last_accessed_at: old + 86_400,
      access_count: 7,
      visibility: "team",
      space: "team",
      embedding_status: "pending",
      source: "chest15",
      archived_at: null,
    });
    expect(memory(CHEST15_IDS.aliasLayer)).toMatchObject({ layer: "realize", expires_at: null });
    expect(memory(CHEST15_IDS.pinned)).toMatchObject({ importance: 0.95, expires_at: null });
  });

  it("keeps who is archived, who was replaced by whom, and who has an expiry of its own", async () => {
    await bringOld();

    const { archived, superseded, successor, explicitExpiry, plain } = CHEST15_IDS;
    expect(memory(archived)).toMatchObject({ archived_reason: "operator", superseded_by_id: null });
    expect(memory(superseded)).toMatchObject({ archived_reason: "superseded", superseded_by_id: successor });
    expect(memory(explicitExpiry)).toMatchObject({ expires_at: CHEST15_NOW + 40 * 86_400, expires_explicit: 1 });
    expect(memory(plain)).toMatchObject({ expires_explicit: 0 });
    expect(rows("SELECT scope FROM memory_text WHERE memory_id IN (8, 9) ORDER BY memory_id")).toEqual([
      { scope: "team.a" },
      { scope: "team.s" },
    ]);
  });

  it("merges the entities that 1.5 made twice, and brings edits and consolidations", async () => {
    const report = await bringOld();

    expect(report).toMatchObject({ entities: { inserted: 2, known: 1 }, edits: 1 });
    expect(rows("SELECT name, canonical_key FROM entities ORDER BY id")).toEqual([
      { name: "acme-api", canonical_key: "git.example/acme/api" },
      { name: "Grace", canonical_key: null },
    ]);
    expect(rows("SELECT memory_id, path_key, operation FROM session_file_edits")).toEqual([
      { memory_id: CHEST15_IDS.plain, path_key: "/home/dev/acme/src/auth/login.ts", operation: "edit" },
    ]);
    // What 1.5 protected whatever its layer is pinned here.
    expect(memory(CHEST15_IDS.summary)).toMatchObject({ importance: 0.9, expires_at: null });
    expect(rows("SELECT summary_id, replaced_ids FROM consolidations")).toEqual([
      { summary_id: CHEST15_IDS.summary, replaced_ids: `[${CHEST15_IDS.original}]` },
    ]);
  });

  it("says what was left, and why, by id", async () => {
    const { left } = await bringOld();

    expect(left).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: "memory", reason: expect.stringContaining("layer"), refs: [17] }),
        expect.objectContaining({ what: "memory", reason: expect.stringContaining("entity"), refs: [20] }),
        expect.objectContaining({ what: "memory", reason: expect.stringContaining("blank"), refs: [21] }),
        expect.objectContaining({ what: "file edit", reason: expect.stringContaining("session"), refs: [2] }),
        expect.objectContaining({ what: "vector", refs: [CHEST15_IDS.withVector], isByDesign: true }),
        expect.objectContaining({ what: "file snapshot", isByDesign: true }),
        ...["edge", "session", "session snapshot", "access", "file fact"].map((what) =>
          expect.objectContaining({ what, count: 1, isByDesign: true }),
        ),
      ]),
    );
  });

  it("loses its secrets on the way, in every place", async () => {
    await bringOld();

    expect(memory(CHEST15_IDS.secret)?.content).toMatch(/^Grace pushes with .*REDACTED.* from her laptop$/i);
    for (const name of readdirSync(dir).filter((file) => file.startsWith("chest.db"))) {
      expect(readFileSync(join(dir, name)).includes(CHEST15_SECRET), name).toBe(false);
    }
  });

  it("changes nothing when it comes in again", async () => {
    await bringOld();
    const before = contentOf();

    const report = await bringOld();

    expect(report).toMatchObject({ memories: { inserted: 0, unchanged: IMPORTED }, links: 0, edits: 0 });
    expect(contentOf()).toBe(before);
  });

  it("leaves alone what was changed here since", async () => {
    await bringOld();
    const db = new Database(store);
    db.exec(`UPDATE memories SET content = 'corrected here', superseded_by_id = NULL, archived_at = NULL,
      archived_reason = NULL WHERE id = ${CHEST15_IDS.superseded}`);
    db.close();

    await bringOld();

    expect(memory(CHEST15_IDS.superseded)).toMatchObject({ content: "corrected here", archived_at: null });
  });

  it("goes on where an import was cut off", async () => {
    async function* cutOff() {
      let count = 0;
      for (const record of readChest15(source, NOW)) {
        if (record.type === "memory" && ++count > 150) throw new Error("the power is gone");
        yield record;
      }
    }
    rmSync(source);
    makeChest15(source, { rows: 400 });
    await expect(bring(cutOff())).rejects.toThrow("power");

    const report = await bringOld();

    expect(report.memories).toEqual({ inserted: IMPORTED + 400 - 100, unchanged: 100, left: 3 });
    expect(report.keptIds).toBe(true);
    expect(memory(1399)?.content).toBe("fact number 399 of a long life with 1.5");
  });

  it("is found by its words, Japanese ones too, and its entities have a past", async () => {
    await bringOld();
    const engine = await openSqliteEngine({ path: store, searchTimeoutMs: 30_000 });
    try {
      const { readQuery } = await import("@chest/core/recall");
      const { localCaller } = await import("@chest/core/access");
      const call = { caller: localCaller(undefined), requestId: "r", signal: new AbortController().signal };
      const find = async (text: string, over = {}) => {
        const where = { reach: "everywhere", withArchived: false, withSuperseded: false, ...over } as const;
        return ((await engine.as(call).search.matchWords(readQuery(text), where, 10)) ?? []).map(({ id }) => id);
      };
      expect(await find("gateway host nine")).toContain(CHEST15_IDS.plain);
      expect(await find("火曜日の会議", { withArchived: true })).toContain(CHEST15_IDS.original);
      expect(rows("SELECT events_total FROM entities ORDER BY id")).toEqual([{ events_total: 8 }, { events_total: 4 }]);
    } finally {
      await engine.close();
    }
  });

  it("says in a dry run what the run then does, and makes no store", async () => {
    const dry = await bringOld({ isDry: true });
    expect(readdirSync(dir)).toEqual(["old.db"]);

    const real = await bringOld();

    expect(dry.memories).toEqual(real.memories);
    expect(dry.entities).toEqual(real.entities);
    expect(dry.keptIds).toBe(real.keptIds);
  });

  it("goes into one project when asked to, beside what is there already, under new ids", async () => {
    await bringOld({ path: join(dir, "other.db") });
    const engine = await openSqliteEngine({ path: store, searchTimeoutMs: 30_000 });
    await engine.close();
    const db = new Database(store);
    db.exec(`INSERT INTO entities (uid, space, kind, name, normalised_name, folded_name, created_at, updated_at)
        VALUES ('e', 'team', 'project', 'own', 'own', 'own', 1, 1);
      INSERT INTO memories (uid, entity_id, author_id, visibility, space, content, content_hash, content_sha1,
        segmenter_version, layer, created_at, updated_at)
        VALUES ('m', 1, 2, 'team', 'team', 'own', 'h', 's', '1', 'learning', 1, 1);`);
    db.close();

    const report = await bringOld({ project: "git.example/acme/api" });

    expect(report).toMatchObject({ keptIds: false, memories: { inserted: IMPORTED } });
    expect(rows("SELECT DISTINCT visibility, space FROM memories WHERE uid <> 'm'")).toEqual([
      { visibility: "project", space: "p1" },
    ]);
  });

  it("is read through a copy where its folder cannot be written, and the copy goes", async () => {
    const [scratch, sealed] = [join(dir, "scratch"), join(dir, "sealed")];
    for (const folder of [scratch, sealed]) mkdirSync(folder);
    const db = new Database(source);
    db.pragma("journal_mode = WAL");
    db.close();
    copyFileSync(source, join(sealed, "old.db"));
    const isRoot = process.getuid?.() === 0;
    chmodSync(dir, 0o755);
    chmodSync(scratch, 0o777);
    chmodSync(sealed, 0o555);
    // Root may write anywhere; the user `nobody` may not.
    if (isRoot) process.seteuid?.(65_534);
    const records = (() => {
      try {
        return [...readChest15(join(sealed, "old.db"), NOW, scratch)];
      } finally {
        if (isRoot) process.seteuid?.(0);
      }
    })();

    expect(records.filter(({ type }) => type === "memory")).toHaveLength(IMPORTED);
    expect([readdirSync(scratch), readdirSync(sealed)]).toEqual([[], ["old.db"]]);
    chmodSync(sealed, 0o755);
  });

  it("stays as it is, byte by byte", async () => {
    const before = readFileSync(source);
    await bringOld();
    expect(readFileSync(source)).toEqual(before);
  });
});

it("refuses a database that is not of 1.5, by what it lacks", () => {
  const db = new Database(source);
  db.exec("CREATE TABLE customers (id INTEGER PRIMARY KEY)");
  db.close();
  expect(() => [...readChest15(source, NOW)]).toThrow(
    expect.objectContaining({ name: "CannotOpen", message: expect.stringContaining("`entities`") }),
  );
});

describe("an archive", () => {
  async function textOf(path: string, withVectors = false): Promise<string> {
    const about = { release: "0", store_uid: "s", exported_at: "t", vectors: withVectors };
    let text = "";
    for await (const line of archiveLines(about, await exportedFrom(path, withVectors))) text += line;
    return text;
  }
  async function* linesOf(text: string) {
    yield* text.trimEnd().split("\n");
  }

  it("brings a whole store into another one, and is the same when written from there", async () => {
    makeChest15(source);
    await bringOld();
    const db = new Database(store);
    db.exec(`INSERT INTO memory_versions (memory_id, version, snapshot, op, author_id, changed_at)
      VALUES (${CHEST15_IDS.plain}, 1, '{"content":"the gateway lived on host six"}', 'revise', 2, 5);
      UPDATE memories SET version = 2 WHERE id = ${CHEST15_IDS.plain}`);
    db.close();
    const first = await textOf(store);
    const copy = join(dir, "copy.db");

    const report = await bring(readArchive(linesOf(first)), { path: copy });

    expect(report).toMatchObject({ keptIds: true, memories: { inserted: IMPORTED, left: 0 }, left: [] });
    expect(await textOf(copy)).toBe(first);
    const again = await bring(readArchive(linesOf(first)), { path: copy });
    expect(again).toMatchObject({ memories: { inserted: 0, unchanged: IMPORTED }, links: 0, edits: 0 });
    expect(await textOf(copy)).toBe(first);
  });

  it("keeps a project closed to those it was closed to", async () => {
    makeChest15(source);
    await bringOld({ project: "git.example/acme/secret" });
    const db = new Database(store);
    db.exec(`INSERT INTO members (id, name, created_at) VALUES (7, 'alice', 1);
      UPDATE projects SET access = 'members'; INSERT INTO project_members (project_id, member_id) VALUES (1, 7);
      INSERT INTO project_aliases (key, project_id) VALUES ('git.example/acme/was', 1)`);
    db.close();
    const copy = join(dir, "copy.db");

    await bring(readArchive(linesOf(await textOf(store))), { path: copy });

    expect(rows("SELECT key, access FROM projects", copy)).toEqual([
      { key: "git.example/acme/secret", access: "members" },
    ]);
    expect(rows("SELECT name FROM members JOIN project_members ON member_id = id", copy)).toEqual([{ name: "alice" }]);
    expect(rows("SELECT key, project_id FROM project_aliases", copy)).toEqual([
      { key: "git.example/acme/was", project_id: 1 },
    ]);
    expect(await textOf(copy)).toBe(await textOf(store));
  });

  it("keeps vectors of a model that is known, for words that are the same, and no others", async () => {
    const [, known] = KNOWN_IDENTITIES;
    if (!known) throw new Error("there is a second one");
    makeChest15(source);
    await bringOld();
    const db = new Database(store);
    db.exec(`INSERT INTO embedding_identities (id, model, revision, dimensions, pooling)
        VALUES (1, '${known.model}', '${known.revision}', ${known.dimensions}, '${known.pooling}'), (2, 'somebody/elses', '1', 2, 'mean')`);
    const put = db.prepare(
      `INSERT INTO vectors (memory_id, identity_id, vector, content_hash, made_by, member_id, created_at)
       SELECT id, ?, ?, content_hash, 'test', 2, 1 FROM memories WHERE id = ?`,
    );
    put.run(1, Buffer.from(new Float32Array(known.dimensions).fill(0.1).buffer), CHEST15_IDS.plain);
    put.run(2, Buffer.from(new Float32Array(2).fill(0.7).buffer), CHEST15_IDS.plain);
    db.close();
    const copy = join(dir, "copy.db");

    const report = await bring(readArchive(linesOf(await textOf(store, true))), { path: copy });

    expect(report.vectors).toEqual({ kept: 1, dropped: 1 });
    expect(rows("SELECT memory_id, length(vector) AS bytes FROM vectors", copy)).toEqual([
      { memory_id: CHEST15_IDS.plain, bytes: 4 * known.dimensions },
    ]);
  });
});
