import type { Space } from "@chest/core/access";
import type { EmbeddingIdentity } from "@chest/core/ports";
import Database from "better-sqlite3";
import { openSqliteEngine } from "../index.ts";

/** A store's file as another program would write it: rows and vectors by SQL alone. */
export class VectorStore {
  readonly db: Database.Database;
  readonly random: () => number;
  readonly identity: EmbeddingIdentity;
  readonly #centres: readonly Float32Array[];
  readonly #statements = new Map<string, Database.Statement>();

  private constructor(path: string, identity: EmbeddingIdentity) {
    this.db = new Database(path);
    this.db.pragma("foreign_keys = ON");
    this.identity = identity;
    this.random = seeded(7);
    this.#centres = Array.from({ length: 20 }, () => this.#noise(1));
    const { model, revision, dimensions, pooling } = identity;
    this.prepared(
      "INSERT INTO embedding_identities (id, model, revision, dimensions, pooling) VALUES (1, ?, ?, ?, ?)",
    ).run(model, revision, dimensions, pooling);
    for (const name of ["apple", "pear", "plum"]) this.addEntity(name, "project");
    this.addEntity("kiwi", "concept");
  }

  /** At a path where nothing is yet. */
  static async create(path: string, dimensions = 64): Promise<VectorStore> {
    await (await openSqliteEngine({ path, synchronous: "NORMAL" })).close();
    return new VectorStore(path, { model: "test/clustered", revision: "1", dimensions, pooling: "mean" });
  }

  addEntity(name: string, kind: string): void {
    this.prepared(
      `INSERT INTO entities (uid, space, kind, name, normalised_name, folded_name, created_at, updated_at)
         VALUES (?, 'team', ?, ?, ?, ?, 0, 0)`,
    ).run(`uid-${name}`, kind, name, name, name.toLowerCase());
  }

  /** Memories of any space, layer, entity and tag, near one of twenty centres; each with a vector. */
  add(count: number): void {
    this.db.transaction(() => {
      for (let i = 0; i < count; i++) this.#addOne();
    })();
  }

  #addOne(): void {
    const content = `memory ${this.random()}`;
    const { lastInsertRowid } = this.prepared(
      `INSERT INTO memories (uid, entity_id, author_id, visibility, space, content, content_hash, content_sha1,
           segmenter_version, layer, created_at, updated_at) VALUES (?, ?, 1, 'team', ?, ?, ?, '', '', ?, 0, 0)`,
    ).run(
      `uid-${this.random()}`,
      1 + this.pick(4),
      this.pick(3) === 0 ? "team" : `p${1 + this.pick(5)}`,
      content,
      content,
      ["goal", "context", "learning", "realize"][this.pick(4)],
    );
    const id = Number(lastInsertRowid);
    for (const tag of ["red", "green", "blue"]) {
      if (this.pick(3) === 0) this.prepared("INSERT INTO memory_tags (memory_id, tag) VALUES (?, ?)").run(id, tag);
    }
    this.putVector(id, this.near());
  }

  putVector(id: number, vector: Float32Array): void {
    this.prepared(
      `INSERT OR REPLACE INTO vectors (memory_id, identity_id, vector, content_hash, made_by, member_id, created_at)
         SELECT id, 1, ?, content_hash, 'test', 1, 0 FROM memories WHERE id = ?`,
    ).run(Buffer.from(vector.buffer), id);
  }

  prepared(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? this.db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  anyId(): number {
    return Number(this.prepared("SELECT id FROM memories ORDER BY random() LIMIT 1").pluck(true).get());
  }

  idIn(space: Space): number {
    return Number(this.prepared("SELECT id FROM memories WHERE space = ? LIMIT 1").pluck(true).get(space));
  }

  /** A vector near one of the centres, of length one. */
  near(): Float32Array {
    const centre = this.#centres[this.pick(this.#centres.length)] as Float32Array;
    const noise = this.#noise(0.5);
    const vector = centre.map((x, i) => x + (noise[i] ?? 0));
    const norm = Math.hypot(...vector);
    return vector.map((x) => x / norm);
  }

  pick(count: number): number {
    return Math.floor(this.random() * count);
  }

  #noise(width: number): Float32Array {
    return Float32Array.from({ length: this.identity.dimensions }, () => width * (this.random() + this.random() - 1));
  }
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
