import Database from "better-sqlite3";

// The tables and columns of 1.5.0, as its own migrations make them: times in seconds, vectors as JSON.
const SCHEMA = `
CREATE TABLE _prisma_migrations (
  id TEXT PRIMARY KEY, checksum TEXT, finished_at DATETIME, migration_name TEXT, logs TEXT, rolled_back_at DATETIME,
  started_at DATETIME, applied_steps_count INTEGER);
INSERT INTO _prisma_migrations (id, migration_name) VALUES ('a', '0_init'), ('b', '1_multilingual_fts');
CREATE TABLE consolidations (
  id INTEGER PRIMARY KEY, learning_id BIGINT, replaced_ids TEXT, replaced_count INTEGER, entity_id BIGINT,
  original_layer TEXT, created_at BIGINT);
CREATE TABLE edges (
  id INTEGER PRIMARY KEY, from_id BIGINT, to_id BIGINT, relation TEXT, weight REAL, attributes TEXT, created_at BIGINT);
CREATE TABLE entities (
  id INTEGER PRIMARY KEY, kind TEXT, name TEXT, normalized_name TEXT, canonical_key TEXT, attributes TEXT,
  momentum_score REAL, momentum_at BIGINT, created_at BIGINT, updated_at BIGINT);
CREATE TABLE events (id INTEGER PRIMARY KEY, entity_id BIGINT, kind TEXT, payload TEXT, occurred_at BIGINT);
CREATE TABLE file_facts (
  id INTEGER PRIMARY KEY, file_path TEXT, chunk_hash TEXT, fact TEXT, layer TEXT, extracted_at BIGINT);
CREATE TABLE file_snapshots (
  path TEXT PRIMARY KEY, content_hash TEXT, mtime BIGINT, size_bytes BIGINT, chunks TEXT, last_read_at BIGINT,
  read_count INTEGER);
CREATE TABLE memories (
  id INTEGER PRIMARY KEY, entity_id BIGINT, layer TEXT, content TEXT, importance REAL DEFAULT 0.5,
  protected INTEGER DEFAULT 0, source TEXT, created_at BIGINT, last_accessed_at BIGINT, access_count INTEGER DEFAULT 0,
  archived_at BIGINT, superseded_by_id BIGINT, supersession_confidence REAL, expires_at BIGINT, embedding TEXT,
  embedding_model TEXT, embedding_status TEXT DEFAULT 'pending', embedding_state_changed_at BIGINT,
  embedding_dim INTEGER, activation_score REAL, ttl_penalty REAL, supersession_penalty REAL,
  activation_computed_at BIGINT, content_tokenized TEXT);
CREATE VIRTUAL TABLE memories_fts USING fts5(content_tokenized);
CREATE TABLE memory_access_log (id INTEGER PRIMARY KEY, memory_id BIGINT, accessed_at BIGINT);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE session_file_edits (
  id INTEGER PRIMARY KEY, session_id TEXT, memory_id BIGINT, file_path TEXT, operation TEXT, turn_uuid TEXT,
  context_snippet TEXT, occurred_at BIGINT);
CREATE TABLE session_snapshots (id INTEGER PRIMARY KEY, session_id TEXT, snapshot_text TEXT, created_at BIGINT);
CREATE TABLE sessions (id TEXT PRIMARY KEY, agent_kind TEXT, started_at BIGINT, last_seen_at BIGINT);
`;

const DAY = 86_400;
/** Fixed time of the fixture. */
export const CHEST15_NOW = 1_795_291_747;
// Joined from parts, so that no scanner takes it for a real token.
export const CHEST15_SECRET = ["ghp", "Zq8Lr2Vt6Xy1Bn5Cm9Kd3Fs7Hw4Jp0AeRtUi"].join("_");

/** Ids of the fixture's memories by purpose. */
export const CHEST15_IDS = {
  plain: 3,
  pinned: 4,
  goal: 5,
  archived: 8,
  superseded: 9,
  successor: 11,
  aliasLayer: 12,
  secret: 14,
  unknownLayer: 17,
  orphan: 20,
  blank: 21,
  explicitExpiry: 22,
  original: 23,
  summary: 24,
  withVector: 25,
};

/** Writes a database of 1.5; `rows` adds that many memories. */
export function makeChest15(path: string, { rows = 0 } = {}): void {
  const db = new Database(path);
  db.exec(SCHEMA);
  const entity = db.prepare(
    "INSERT INTO entities (id, kind, name, canonical_key, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const old = CHEST15_NOW - 200 * DAY;
  entity.run(1, "project", "acme-api", "git.example/acme/api", old, old);
  // 1.5 creates an entity for each spelling, and with parallel writes even for the same one.
  entity.run(2, "project", "Acme API", null, old + 5, old + 5);
  entity.run(3, "person", "Grace", null, old, old);

  const { plain, pinned, goal, archived, superseded, successor, ...ids } = CHEST15_IDS;
  add(db, plain, 1, "learning", "the gateway lives on host nine", { last_accessed_at: old + DAY, access_count: 7 });
  add(db, pinned, 2, "implementation", "deploys run from the blue cluster", { importance: 0.95, protected: 1 });
  add(db, goal, 1, "goal", "the API answers within fifty milliseconds", {});
  add(db, archived, 3, "emotion", "tired of flaky tests", { archived_at: old + 9 * DAY });
  add(db, superseded, 1, "learning", "the gateway lives on host seven", {
    archived_at: old + 3 * DAY,
    superseded_by_id: successor,
    supersession_confidence: 0.98,
  });
  add(db, successor, 1, "learning", "the gateway lives on host eight", {});
  add(db, ids.aliasLayer, 2, "Pitfall", "never rotate the signing key on a Friday", {});
  add(db, ids.secret, 3, "context", `Grace pushes with ${CHEST15_SECRET} from her laptop`, {});
  add(db, ids.unknownLayer, 1, "gossip", "somebody said something", {});
  add(db, ids.orphan, 99, "learning", "about an entity that is not there", {});
  add(db, ids.blank, 1, "learning", "  ", {});
  add(db, ids.explicitExpiry, 1, "context", "the freeze ends with the year", { expires_at: CHEST15_NOW + 40 * DAY });
  add(db, ids.original, 3, "context", "会議は火曜日の朝に移った", {
    archived_at: old + 50 * DAY,
  });
  add(db, ids.summary, 3, "learning", JSON.stringify({ source: "consolidation", replaced_ids: [23] }), {
    protected: 1,
  });
  add(db, ids.withVector, 1, "learning", "vectors of unknown making stay behind", {
    embedding: JSON.stringify(Array(1024).fill(0.03125)),
    embedding_model: "Xenova/bge-m3",
    embedding_status: "ok",
  });

  const edit = db.prepare(
    "INSERT INTO session_file_edits (session_id, memory_id, file_path, operation, context_snippet, occurred_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  edit.run(
    "6d1f2f6e-0000-4000-8000-0000000000aa",
    plain,
    "/home/dev/acme/src/auth/login.ts",
    "edit",
    "await ready()",
    old,
  );
  edit.run("no session%", null, "/home/dev/acme/src/x.ts", "edit", null, old);
  db.prepare(
    "INSERT INTO consolidations (learning_id, replaced_ids, entity_id, original_layer, created_at) VALUES (?, ?, 3, 'context', ?)",
  ).run(ids.summary, JSON.stringify([ids.original]), old + 50 * DAY);
  db.prepare("INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (1, 'memory_stored', '{}', ?)").run(
    old,
  );
  db.prepare("INSERT INTO edges (from_id, to_id, relation, created_at) VALUES (1, 3, 'owned_by', ?)").run(old);
  db.prepare("INSERT INTO sessions (id, agent_kind, started_at) VALUES ('s-1', 'claude-code', ?)").run(old);
  db.prepare(
    "INSERT INTO session_snapshots (session_id, snapshot_text, created_at) VALUES ('s-1', 'was at it', ?)",
  ).run(old);
  db.prepare("INSERT INTO memory_access_log (memory_id, accessed_at) VALUES (?, ?)").run(plain, old);
  db.prepare("INSERT INTO file_facts (file_path, fact, extracted_at) VALUES ('/home/dev/x.ts', 'exports x', ?)").run(
    old,
  );
  db.prepare("INSERT INTO file_snapshots (path, content_hash, chunks) VALUES ('/home/dev/x.ts', 'aa', '[]')").run();
  db.transaction(() => {
    for (let at = 0; at < rows; at++) {
      add(db, 1000 + at, 1, "learning", `fact number ${at} of a long life with 1.5`, { created_at: old + at });
    }
  })();
  db.close();
}

function add(
  db: Database.Database,
  id: number,
  entityId: number,
  layer: string,
  content: string,
  more: Record<string, string | number>,
): void {
  const values = { id, entity_id: entityId, layer, content, created_at: CHEST15_NOW - 200 * DAY + id, ...more };
  const names = Object.keys(values);
  db.prepare(`INSERT INTO memories (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`).run(
    ...Object.values(values),
  );
}
