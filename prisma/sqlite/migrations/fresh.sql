-- Made from the migrations by fresh-schema.test.ts.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'admin')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'removed')),
  created_at INTEGER NOT NULL
, looked_at INTEGER);
CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES members (id),
  label TEXT NOT NULL DEFAULT '',
  hash TEXT NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  project_ids TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
, parent_id INTEGER REFERENCES tokens (id), kind TEXT NOT NULL DEFAULT 'token'
  CHECK (kind IN ('token', 'link', 'session', 'grant', 'access')), client TEXT);
CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  display_name TEXT,
  access TEXT NOT NULL DEFAULT 'open' CHECK (access IN ('open', 'members')),
  created_at INTEGER NOT NULL,
  archived_at INTEGER
);
CREATE TABLE project_members (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  PRIMARY KEY (project_id, member_id)
) WITHOUT ROWID;
CREATE TABLE project_aliases (
  key TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id)
, joined_from TEXT) WITHOUT ROWID;
CREATE TABLE memories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  project_id INTEGER REFERENCES projects (id),
  author_id INTEGER NOT NULL REFERENCES members (id),
  token_id INTEGER REFERENCES tokens (id),
  visibility TEXT NOT NULL CHECK (visibility IN ('private', 'project', 'team')),
  space TEXT NOT NULL,
  client TEXT,
  session_id TEXT,
  conversation_id TEXT,

  title TEXT,
  name TEXT,
  content TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  content_sha1 TEXT NOT NULL,
  segmenter_version TEXT NOT NULL,
  minhash BLOB,

  layer TEXT NOT NULL CHECK (layer IN ('goal', 'context', 'emotion', 'implementation', 'realize', 'learning')),
  category TEXT,
  source_type TEXT NOT NULL DEFAULT 'manual',
  source TEXT,
  importance REAL NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
  confidence REAL NOT NULL DEFAULT 0.8 CHECK (confidence BETWEEN 0 AND 1),
  confidence_decayed_at INTEGER,
  certainty TEXT NOT NULL DEFAULT 'likely',
  last_verified_at INTEGER,
  evidence TEXT,
  attachments TEXT,
  "trigger" TEXT,
  keywords TEXT,
  trust TEXT NOT NULL DEFAULT 'normal' CHECK (trust IN ('normal', 'flagged', 'quarantined')),
  trust_reasons TEXT,
  git_commit TEXT,
  git_branch TEXT,

  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_accessed_at INTEGER,
  access_count INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER,
  expires_explicit INTEGER NOT NULL DEFAULT 0,
  archived_at INTEGER,
  archived_reason TEXT CHECK (archived_reason IN ('forget', 'dropped', 'expired', 'cold', 'superseded', 'merged', 'operator')),
  quarantined_at INTEGER,
  requested_visibility TEXT,

  superseded_by_id INTEGER REFERENCES memories (id),
  supersession_confidence REAL,
  activation_score REAL,
  activation_computed_at INTEGER,
  embedding_status TEXT NOT NULL DEFAULT 'pending',
  version INTEGER NOT NULL DEFAULT 1,
  capture_key TEXT,
  edited_at INTEGER,
  injected_count INTEGER NOT NULL DEFAULT 0,
  useful_count INTEGER NOT NULL DEFAULT 0,
  last_injected_at INTEGER,
  conv_score REAL NOT NULL DEFAULT 0, known_at INTEGER, joined_from TEXT,
  CHECK (superseded_by_id IS NULL OR (archived_at IS NOT NULL AND superseded_by_id <> id))
);
CREATE INDEX memories_place ON memories (space, created_at);
CREATE INDEX memories_same_words ON memories (entity_id, content_hash) WHERE archived_at IS NULL;
CREATE INDEX memories_pending ON memories (space) WHERE archived_at IS NULL AND embedding_status = 'pending';
CREATE INDEX memories_successor ON memories (superseded_by_id) WHERE superseded_by_id IS NOT NULL;
CREATE UNIQUE INDEX memories_capture ON memories (capture_key) WHERE capture_key IS NOT NULL;
CREATE TABLE embedding_identities (
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  revision TEXT NOT NULL,
  dimensions INTEGER NOT NULL CHECK (dimensions > 0),
  pooling TEXT NOT NULL,
  prefix TEXT NOT NULL DEFAULT '',
  UNIQUE (model, revision, dimensions, pooling, prefix)
);
CREATE TABLE vectors (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  identity_id INTEGER NOT NULL REFERENCES embedding_identities (id),
  vector BLOB NOT NULL,
  content_hash TEXT NOT NULL,
  made_by TEXT NOT NULL,
  member_id INTEGER NOT NULL REFERENCES members (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (memory_id, identity_id)
);
CREATE INDEX vectors_identity ON vectors (identity_id);
CREATE TABLE memory_tags (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (memory_id, tag)
) WITHOUT ROWID;
CREATE INDEX memory_tags_tag ON memory_tags (tag);
CREATE TABLE memory_files (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('edited', 'read', 'about')),
  PRIMARY KEY (memory_id, path, role)
) WITHOUT ROWID;
CREATE INDEX memory_files_path ON memory_files (path);
CREATE TABLE memory_links (
  from_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  to_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('depends_on', 'contradicts', 'elaborates', 'related_to', 'part_of', 'supersedes', 'summarises')),
  note TEXT,
  origin TEXT NOT NULL DEFAULT 'manual' CHECK (origin IN ('manual', 'auto')),
  author_id INTEGER NOT NULL REFERENCES members (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (from_id, to_id, type)
) WITHOUT ROWID;
CREATE INDEX memory_links_to ON memory_links (to_id);
CREATE TABLE memory_versions (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  op TEXT NOT NULL,
  reason TEXT,
  author_id INTEGER NOT NULL REFERENCES members (id),
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (memory_id, version)
);
CREATE TABLE memory_sources (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  line INTEGER,
  hash TEXT,
  git_commit TEXT,
  status TEXT NOT NULL DEFAULT 'unknown' CHECK (status IN ('ok', 'stale', 'missing', 'unknown')),
  checked_at INTEGER,
  checked_by INTEGER REFERENCES members (id), end_line INTEGER, found_hash TEXT,
  PRIMARY KEY (memory_id, path)
);
CREATE TABLE memory_access_log (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  accessed_at INTEGER NOT NULL
, member_id INTEGER);
CREATE INDEX memory_access_log_memory ON memory_access_log (memory_id, accessed_at);
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  entity_id INTEGER REFERENCES entities (id),
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  occurred_at INTEGER NOT NULL
);
CREATE INDEX events_entity ON events (entity_id, occurred_at);
CREATE TABLE file_snapshots (
  machine TEXT NOT NULL,
  member_id INTEGER NOT NULL REFERENCES members (id),
  session_key TEXT NOT NULL,
  path TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  mtime_ns TEXT NOT NULL,
  size INTEGER NOT NULL,
  chunks TEXT NOT NULL,
  last_read_at INTEGER NOT NULL,
  read_count INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (machine, member_id, session_key, path)
);
CREATE TABLE file_facts (
  id INTEGER PRIMARY KEY,
  file TEXT NOT NULL,
  chunk_hash TEXT,
  fact TEXT NOT NULL,
  layer TEXT
);
CREATE TABLE work_items (
  id INTEGER PRIMARY KEY,
  project_id INTEGER REFERENCES projects (id),
  title TEXT NOT NULL,
  detail TEXT,
  priority INTEGER NOT NULL DEFAULT 2 CHECK (priority BETWEEN 1 AND 3),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done', 'dropped')),
  files TEXT,
  author_id INTEGER NOT NULL REFERENCES members (id),
  session_id TEXT,
  closed_by_memory_id INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  closed_at INTEGER
, joined_from TEXT);
CREATE TABLE consolidations (
  id INTEGER PRIMARY KEY,
  summary_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  replaced_ids TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  original_layer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  undone_at INTEGER
);
CREATE TABLE idempotency (
  member_id INTEGER NOT NULL REFERENCES members (id),
  key TEXT NOT NULL,
  tool TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL, spaces TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (member_id, key)
) WITHOUT ROWID;
CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  member_id INTEGER NOT NULL,
  token_id INTEGER,
  client TEXT,
  op TEXT NOT NULL,
  outcome TEXT NOT NULL,
  memory_ids TEXT NOT NULL,
  project_id INTEGER
, subject TEXT, times INTEGER NOT NULL DEFAULT 1);
CREATE TABLE backups (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  file TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  schema TEXT NOT NULL,
  rows INTEGER NOT NULL,
  verified_at INTEGER
);
CREATE TABLE memory_text (
  memory_id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  title TEXT NOT NULL,
  tags TEXT NOT NULL,
  words TEXT NOT NULL,
  grams TEXT NOT NULL
);
CREATE VIRTUAL TABLE memory_fts USING fts5 (
  scope, title, tags, words, grams,
  content = 'memory_text',
  content_rowid = 'memory_id',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
CREATE VIRTUAL TABLE memory_terms USING fts5vocab ('memory_fts', 'row');
CREATE VIRTUAL TABLE memory_term_places USING fts5vocab ('memory_fts', 'instance');
CREATE TABLE memory_text_changes (
  seq INTEGER PRIMARY KEY,
  memory_id INTEGER NOT NULL,
  is_text INTEGER NOT NULL
);
CREATE TRIGGER memory_text_updated AFTER UPDATE ON memory_text BEGIN
  INSERT INTO memory_text_changes (memory_id, is_text) VALUES (
    NEW.memory_id,
    (NEW.title, NEW.tags, NEW.words, NEW.grams) IS NOT (OLD.title, OLD.tags, OLD.words, OLD.grams)
  );
  DELETE FROM memory_text_changes WHERE seq <= (SELECT max(seq) FROM memory_text_changes) - 20000;
END;
CREATE TRIGGER memory_text_deleted AFTER DELETE ON memory_text BEGIN
  INSERT INTO memory_text_changes (memory_id, is_text) VALUES (OLD.memory_id, 1);
  DELETE FROM memory_text_changes WHERE seq <= (SELECT max(seq) FROM memory_text_changes) - 20000;
END;
CREATE TABLE embedding_claims (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  identity_id INTEGER NOT NULL REFERENCES embedding_identities (id),
  claimant TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (memory_id, identity_id)
) WITHOUT ROWID;
CREATE INDEX embedding_claims_until ON embedding_claims (until);
CREATE TABLE vector_changes (
  seq INTEGER PRIMARY KEY,
  memory_id INTEGER NOT NULL
);
CREATE TRIGGER vectors_added AFTER INSERT ON vectors BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (NEW.memory_id);
END;
CREATE TRIGGER vectors_changed AFTER UPDATE ON vectors BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (OLD.memory_id), (NEW.memory_id);
END;
CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (OLD.memory_id);
END;
CREATE TRIGGER vectors_moved AFTER UPDATE OF space, layer, entity_id, archived_at, superseded_by_id, content_hash ON memories
WHEN EXISTS (SELECT 1 FROM vectors WHERE memory_id = NEW.id) BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (NEW.id);
END;
CREATE TRIGGER vector_changes_forgotten AFTER INSERT ON vector_changes BEGIN
  DELETE FROM vector_changes WHERE seq <= NEW.seq - 100000;
END;
CREATE TRIGGER places_project_added AFTER INSERT ON projects BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_project_changed AFTER UPDATE OF key, access ON projects BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_project_gone AFTER DELETE ON projects BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_member_let_in AFTER INSERT ON project_members BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_member_let_out AFTER DELETE ON project_members BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TABLE purged (
  uid TEXT PRIMARY KEY,
  capture_key TEXT,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX purged_capture ON purged (capture_key) WHERE capture_key IS NOT NULL;
CREATE TABLE memory_activation (
  memory_id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  score REAL NOT NULL,
  computed_at INTEGER NOT NULL
);
CREATE TABLE vectors_uncompared (
  identity_id INTEGER NOT NULL REFERENCES embedding_identities (id),
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  PRIMARY KEY (identity_id, memory_id)
) WITHOUT ROWID;
CREATE TRIGGER vectors_stored AFTER INSERT ON vectors BEGIN
  INSERT OR IGNORE INTO vectors_uncompared (identity_id, memory_id) VALUES (NEW.identity_id, NEW.memory_id);
END;
CREATE TABLE maintenance_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  "trigger" TEXT NOT NULL CHECK ("trigger" IN ('start', 'timer', 'writes', 'vectors', 'operator')),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  outcome TEXT CHECK (outcome IN ('done', 'stopped', 'failed')),
  passes TEXT NOT NULL DEFAULT '[]'
);
CREATE TABLE maintenance_changes (
  run_id INTEGER NOT NULL REFERENCES maintenance_runs (id) ON DELETE CASCADE,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  pass TEXT NOT NULL,
  PRIMARY KEY (run_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX maintenance_changes_memory ON maintenance_changes (memory_id);
CREATE INDEX consolidations_summary ON consolidations (summary_id);
CREATE TABLE "entities" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  space TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'company', 'project', 'concept', 'file', 'other')),
  name TEXT NOT NULL,
  normalised_name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  canonical_key TEXT,
  attributes TEXT,
  momentum_score REAL NOT NULL DEFAULT 0,
  momentum_at INTEGER,
  events_total INTEGER NOT NULL DEFAULT 0,
  first_event_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (space, kind, normalised_name),
  UNIQUE (space, canonical_key)
);
CREATE TABLE "entity_aliases" (
  space TEXT NOT NULL,
  kind TEXT NOT NULL,
  normalised_name TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  PRIMARY KEY (space, kind, normalised_name)
) WITHOUT ROWID;
CREATE INDEX entities_name ON entities (normalised_name, kind);
CREATE INDEX entity_aliases_name ON entity_aliases (normalised_name, kind);
CREATE INDEX memories_entity ON memories (entity_id, created_at, importance);
CREATE TABLE "sessions" (
  id TEXT NOT NULL,
  project_id INTEGER REFERENCES projects (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  client TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'closed', 'abandoned')),
  started_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  ended_at INTEGER,
  prompt_count INTEGER NOT NULL DEFAULT 0,
  imported_lines INTEGER NOT NULL DEFAULT 0,
  last_line_hash TEXT,
  carry TEXT, joined_from TEXT,
  PRIMARY KEY (member_id, id)
);
CREATE TABLE "session_file_edits" (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  memory_id INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  file_path TEXT NOT NULL,
  path_key TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (operation IN ('read', 'edit', 'write', 'bash')),
  turn_uuid TEXT,
  ordinal INTEGER NOT NULL DEFAULT 0,
  context_snippet TEXT,
  occurred_at INTEGER NOT NULL,
  space TEXT NOT NULL, joined_from TEXT,
  UNIQUE (session_id, turn_uuid, ordinal, member_id),
  FOREIGN KEY (member_id, session_id) REFERENCES sessions (member_id, id) ON UPDATE CASCADE
);
CREATE TABLE "session_snapshots" (
  session_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('compact', 'clear', 'exit')),
  project_id INTEGER REFERENCES projects (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  body TEXT NOT NULL,
  keywords TEXT,
  git_sha TEXT,
  branch TEXT,
  dirty INTEGER,
  created_at INTEGER NOT NULL,
  consumed_at INTEGER,
  consumed_by TEXT, joined_from TEXT,
  PRIMARY KEY (member_id, session_id, kind)
);
CREATE INDEX session_file_edits_path ON session_file_edits (path_key, operation, space);
CREATE INDEX memories_context ON memories (coalesce(conversation_id, author_id || ':' || session_id), space)
WHERE coalesce(conversation_id, author_id || ':' || session_id) IS NOT NULL;
CREATE INDEX memories_put_away ON memories (space, archived_at) WHERE archived_at IS NOT NULL;
CREATE UNIQUE INDEX memories_name ON memories (space, name) WHERE name IS NOT NULL AND archived_at IS NULL;
CREATE TRIGGER places_alias_added AFTER INSERT ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_alias_moved AFTER UPDATE ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_alias_gone AFTER DELETE ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE INDEX memory_links_contradicts ON memory_links (created_at) WHERE type = 'contradicts';
CREATE INDEX memories_turns ON memories (space, created_at) WHERE conversation_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX memories_triggers ON memories (space) WHERE "trigger" IS NOT NULL AND archived_at IS NULL;
CREATE TABLE confidence_changes (
  run_id INTEGER NOT NULL REFERENCES maintenance_runs (id) ON DELETE CASCADE,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  before REAL NOT NULL,
  after REAL NOT NULL,
  PRIMARY KEY (run_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX confidence_changes_memory ON confidence_changes (memory_id);
CREATE INDEX memory_sources_stale ON memory_sources (memory_id) WHERE status IN ('stale', 'missing');
CREATE TABLE oauth_records (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  grant_id INTEGER REFERENCES tokens (id),
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  consumed_at INTEGER,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE INDEX oauth_records_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_end ON oauth_records (expires_at);
CREATE INDEX memories_requested ON memories (created_at, id) WHERE requested_visibility IS NOT NULL;
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL,
  ops TEXT,
  secret TEXT NOT NULL,
  member_id INTEGER NOT NULL REFERENCES members (id),
  project_ids TEXT,
  token_id INTEGER REFERENCES tokens (id),
  created_at INTEGER NOT NULL,
  cursor INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  trouble TEXT,
  delivered_at INTEGER,
  rests_until INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE gaps (
  id INTEGER PRIMARY KEY,
  project_id INTEGER REFERENCES projects (id),
  question TEXT NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
, joined_from TEXT);
CREATE INDEX gaps_newest ON gaps (project_id, last_at);
CREATE INDEX memories_session ON memories (session_id, author_id, space, archived_at, created_at) WHERE session_id IS NOT NULL;
CREATE INDEX memories_used ON memories (space, last_accessed_at, importance, entity_id, archived_at)
  WHERE last_accessed_at IS NOT NULL AND archived_at IS NULL;
CREATE INDEX memories_expiring ON memories (expires_at, importance, layer) WHERE expires_explicit AND archived_at IS NULL;
CREATE TABLE tombstones (
  space TEXT NOT NULL,
  hash TEXT NOT NULL,
  facts TEXT NOT NULL,
  member_id INTEGER NOT NULL,
  memory_id INTEGER NOT NULL,
  at INTEGER NOT NULL, joined_from TEXT,
  PRIMARY KEY (space, hash, member_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX tombstones_of_memory ON tombstones (memory_id);
CREATE TABLE store_secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE injections (
  member_id INTEGER NOT NULL REFERENCES members (id),
  session_id TEXT NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  surface TEXT NOT NULL,
  at INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  project_id INTEGER REFERENCES projects (id), joined_from TEXT,
  PRIMARY KEY (member_id, session_id, memory_id, surface, at)
) WITHOUT ROWID;
CREATE INDEX injections_session ON injections (session_id);
CREATE INDEX injections_memory ON injections (memory_id);
CREATE TABLE inbox_notes (
  kind TEXT NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  other_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  assignee_id INTEGER REFERENCES members (id),
  snoozed_until INTEGER,
  reason TEXT,
  author_id INTEGER NOT NULL REFERENCES members (id),
  noted_at INTEGER NOT NULL,
  PRIMARY KEY (kind, memory_id, other_id)
) WITHOUT ROWID;
CREATE INDEX inbox_notes_memory ON inbox_notes (memory_id);
CREATE INDEX inbox_notes_other ON inbox_notes (other_id);
CREATE INDEX memories_listed ON memories (
  space, created_at, layer, importance, entity_id, category, author_id, project_id, confidence, archived_at, octet_length(content),
  (CASE WHEN (capture_key IS NOT NULL AND coalesce(source, '') IN ('first_intent', 'automated_task', 'clarification', 'file_edit', 'error_recovery', 'failure', 'episode', 'session_summary', 'digest')) THEN 1 ELSE 0 END)
) WHERE archived_at IS NULL;
CREATE INDEX memories_flagged ON memories (space, created_at) WHERE trust <> 'normal' AND archived_at IS NULL;
INSERT INTO meta (key, value) VALUES ('seq', '0'), ('store_uid', lower(hex(randomblob(16)))), ('places', lower(hex(randomblob(8))));
INSERT INTO members (id, name, status, created_at) VALUES (1, 'shared', 'active', unixepoch()), (2, 'local', 'active', unixepoch()), (0, 'maintenance', 'removed', unixepoch());
INSERT INTO memory_fts (memory_fts, rank) VALUES ('rank', 'bm25(0, 2, 1.5, 1, 0.5)'), ('secure-delete', 0);
