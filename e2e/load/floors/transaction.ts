import { randomUUID } from "node:crypto";
import { canonical } from "@chest/core/memory";
import { SEGMENTER_VERSION, segment } from "@chest/core/text";
import Database from "better-sqlite3";
import { openSqliteEngine } from "../libraries.ts";
import type { Sample } from "../rounds.ts";
import type { Section } from "../texts.ts";

const MEMORY = `INSERT INTO memories (uid, entity_id, project_id, author_id, visibility, space, client, content, content_hash,
    content_sha1, segmenter_version, layer, importance, created_at, updated_at)
  VALUES (?, 1, 1, 1, 'project', 'p1', 'bench/1.0.0', ?, ?, ?, ?, 'learning', 0.5, ?, ?) RETURNING id`;

/** Writes the rows of one memory in one transaction that reaches the disk, with only the driver. */
export class TransactionFloor {
  readonly #db: Database.Database;
  readonly #write: (row: Row) => void;

  private constructor(db: Database.Database) {
    this.#db = db;
    this.#write = writing(db);
  }

  static async open(path: string): Promise<TransactionFloor> {
    await (await openSqliteEngine({ path })).close(); // Creates the product's tables.
    const db = new Database(path);
    for (const pragma of ["synchronous = FULL", "secure_delete = ON", "foreign_keys = ON"]) db.pragma(pragma);
    db.prepare("INSERT INTO projects (id, key, created_at) VALUES (1, 'bench', 0)").run();
    db.prepare(
      `INSERT INTO entities (id, uid, space, kind, name, normalised_name, folded_name, created_at, updated_at)
       VALUES (1, 'bench', 'p1', 'project', 'bench', 'bench', 'bench', 0, 0)`,
    ).run();
    return new TransactionFloor(db);
  }

  /** Writes rows without a pause, to measure the disk and the driver on an otherwise idle machine. */
  run(sections: readonly Section[]): Sample {
    const rows = sections.map(rowOf);
    const cpuBefore = process.cpuUsage();
    const tookMs = rows.map((row) => {
      const startedAt = performance.now();
      this.#write(row);
      return performance.now() - startedAt;
    });
    const { user, system } = process.cpuUsage(cpuBefore);
    const wallMs = tookMs.reduce((sum, ms) => sum + ms, 0);
    return { requests: rows.length, wallMs, cpuMs: (user + system) / 1000, tookMs };
  }

  /** Prepares a function that writes the rows one at a time, again and again, each as a new memory. */
  prepared(sections: readonly Section[]): () => void {
    const rows = sections.map(rowOf);
    let next = 0;
    return () => {
      this.#write({ ...(rows[next] as Row), uid: randomUUID() });
      next = (next + 1) % rows.length;
    };
  }

  close(): void {
    this.#db.close();
  }
}

interface Row extends ReturnType<typeof canonical> {
  readonly uid: string;
  readonly title: string;
  readonly nowS: number;
  readonly answer: string;
}

function rowOf({ about, text }: Section): Row {
  const answer = '{"ok":true,"memory_id":1000,"entity_id":1,"layer":"learning","pinned":false,"action":"created"}';
  return {
    ...canonical(text),
    uid: randomUUID(),
    title: segment(about).words,
    nowS: Math.floor(Date.now() / 1000),
    answer,
  };
}

function writing(db: Database.Database): (row: Row) => void {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const seq = db.prepare("UPDATE meta SET value = value + 1 WHERE key = 'seq' RETURNING CAST(value AS INTEGER) AS seq");
  const memory = db.prepare(MEMORY);
  const text = db.prepare(
    "INSERT INTO memory_text (memory_id, scope, title, tags, words, grams) VALUES (?, 'p1', ?, '', ?, ?)",
  );
  const index = db.prepare(
    "INSERT INTO memory_fts (rowid, scope, title, tags, words, grams) VALUES (?, 'p1', ?, '', ?, ?)",
  );
  const event = db.prepare(
    "INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (1, 'memory_stored', ?, ?)",
  );
  const entity = db.prepare(
    "UPDATE entities SET events_total = events_total + 1, momentum_score = 5, momentum_at = ?, updated_at = ? WHERE id = 1",
  );
  const key = db.prepare(
    "INSERT INTO idempotency (member_id, key, tool, request_hash, answer, at) VALUES (1, ?, 'chest_remember', ?, ?, ?)",
  );
  const audit = db.prepare(
    "INSERT INTO audit_log (seq, at, member_id, client, op, outcome, memory_ids) VALUES (?, ?, 1, 'bench/1.0.0', 'chest_remember', 'ok', ?)",
  );
  const commit = db.prepare("COMMIT");

  return ({ uid, title, nowS, answer, content, contentHash, contentSha1, words, grams }) => {
    begin.run();
    const turn = seq.get() as { seq: number };
    const { id } = memory.get(uid, content, contentHash, contentSha1, SEGMENTER_VERSION, nowS, nowS) as { id: number };
    text.run(id, title, words, grams);
    event.run(`{"memory_id":${id}}`, nowS);
    entity.run(nowS, nowS);
    key.run(uid, contentHash, answer, nowS);
    audit.run(turn.seq, nowS, `[${id}]`);
    index.run(id, title, words, grams);
    commit.run();
  };
}
