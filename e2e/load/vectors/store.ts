import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { KNOWN_IDENTITIES } from "@chest/core/embedding";
import Database from "better-sqlite3";
import { ROOT } from "../../support/process.ts";
import { seeded } from "../../support/random.ts";
import { openSqliteEngine } from "../libraries.ts";
import { Clusters } from "./clusters.ts";

const KEPT = join(ROOT, "node_modules/.chest/bench");
/** A project contains a twentieth of the store. */
const PROJECTS = 20;
const PIECE = 20_000;

export const [IDENTITY] = KNOWN_IDENTITIES;
export const projectOf = (number: number): string => `bench/vectors-${number}`;

/**
 * Opens a store with this many memories of two words and a vector each, in twenty projects. It is made once per schema,
 * then kept.
 */
export async function vectorStore(rows: number): Promise<string> {
  const path = pathOf(rows);
  if (existsSync(path)) return path;
  mkdirSync(KEPT, { recursive: true });
  const draft = `${path}.${process.pid}`;
  await (await openSqliteEngine({ path: draft, synchronous: "NORMAL" })).close();
  fill(draft, rows);
  rmSync(`${draft}.lock`, { force: true });
  renameSync(draft, path);
  return path;
}

const pathOf = (rows: number): string => join(KEPT, `vectors-${rows}-${fingerprint()}.db`);

/** Hash of all settings that determine such a store. */
function fingerprint(): string {
  const hash = createHash("sha256");
  const migrations = globSync("prisma/sqlite/migrations/*/*.sql", { cwd: ROOT }).map((name) => join(ROOT, name));
  for (const file of [...migrations.sort(), join(import.meta.dirname, "clusters.ts"), import.meta.filename])
    hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** Inserts rows with SQL, since the tool would take an hour for a million and the words do not matter here. */
function fill(path: string, rows: number): void {
  const db = new Database(path);
  db.pragma("synchronous = OFF");
  const { model, revision, dimensions, pooling } = IDENTITY;
  db.prepare(
    "INSERT OR IGNORE INTO embedding_identities (id, model, revision, dimensions, pooling) VALUES (1, ?, ?, ?, ?)",
  ).run(model, revision, dimensions, pooling);
  const identity = db.prepare("SELECT id FROM embedding_identities WHERE model = ?").pluck().get(model);
  db.exec(`INSERT INTO entities (id, uid, space, kind, name, normalised_name, folded_name, created_at, updated_at)
    VALUES (1, 'bench', 'team', 'concept', 'bench', 'bench', 'bench', 0, 0)`);
  for (let project = 1; project <= PROJECTS; project++)
    db.prepare("INSERT INTO projects (id, key, created_at) VALUES (?, ?, 0)").run(project, projectOf(project));
  const memory = db.prepare(
    `INSERT INTO memories (id, uid, entity_id, project_id, author_id, visibility, space, content, content_hash,
       content_sha1, segmenter_version, layer, created_at, updated_at, embedding_status)
     VALUES (?, ?, 1, ?, 1, 'project', ?, ?, ?, '', '', 'context', 0, 0, 'ok')`,
  );
  const vector = db.prepare(
    `INSERT INTO vectors (memory_id, identity_id, vector, content_hash, made_by, member_id, created_at)
     VALUES (?, ?, ?, ?, 'bench', 1, 0)`,
  );
  const clusters = new Clusters(dimensions);
  const random = seeded(1);
  for (let first = 1; first <= rows; first += PIECE) {
    db.transaction(() => {
      for (let id = first; id < Math.min(first + PIECE, rows + 1); id++) {
        const project = 1 + Math.floor(random() * PROJECTS);
        memory.run(id, `bench-${id}`, project, `p${project}`, `memory ${id}`, `hash-${id}`);
        vector.run(id, identity, Buffer.from(clusters.vector(random).buffer), `hash-${id}`);
      }
    })();
    if (rows > 5 * PIECE) console.error(`chest: ${Math.min(first + PIECE - 1, rows)} of ${rows} vectors stored`);
  }
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}
