-- Everything that a store holds. Times are Unix seconds, UTC.

-- `places` is a random word that changes with the projects and their members, so that every process knows when to read them
-- again; a number would come back after a rollback.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'admin')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'removed')),
  created_at INTEGER NOT NULL,
  looked_at INTEGER
);

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
  last_used_at INTEGER,
  -- A token made with another one ends with it.
  parent_id INTEGER REFERENCES tokens (id),
  -- A sign-in of the page, and the one-time link that leads to one, are tokens of other kinds; a grant is what a member
  -- lets a client do, and its access tokens are rows of their own that end with it.
  kind TEXT NOT NULL DEFAULT 'token' CHECK (kind IN ('token', 'link', 'session', 'grant', 'access')),
  client TEXT
);

CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  display_name TEXT,
  access TEXT NOT NULL DEFAULT 'open' CHECK (access IN ('open', 'members')),
  created_at INTEGER NOT NULL,
  archived_at INTEGER
);
CREATE TRIGGER places_project_added AFTER INSERT ON projects BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_project_changed AFTER UPDATE OF key, access ON projects BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_project_gone AFTER DELETE ON projects BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;

CREATE TABLE project_members (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  PRIMARY KEY (project_id, member_id)
) WITHOUT ROWID;
CREATE TRIGGER places_member_let_in AFTER INSERT ON project_members BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_member_let_out AFTER DELETE ON project_members BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;

CREATE TABLE project_aliases (
  key TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  joined_from TEXT
) WITHOUT ROWID;
-- Other keys of a project count as places, too.
CREATE TRIGGER places_alias_added AFTER INSERT ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_alias_moved AFTER UPDATE ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_alias_gone AFTER DELETE ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;

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
  conv_score REAL NOT NULL DEFAULT 0,
  -- Time at which an imported memory came in; maintenance counts its age from then.
  known_at INTEGER,
  -- Projects that a row lay in before they were joined to another, the first one first; a split puts it back.
  joined_from TEXT,
  CHECK (superseded_by_id IS NULL OR (archived_at IS NOT NULL AND superseded_by_id <> id))
);
-- The newest memories of a place.
CREATE INDEX memories_place ON memories (space, created_at);
-- Every write looks for the same statement.
CREATE INDEX memories_same_words ON memories (entity_id, content_hash) WHERE archived_at IS NULL;
CREATE INDEX memories_pending ON memories (space) WHERE archived_at IS NULL AND embedding_status = 'pending';
CREATE INDEX memories_successor ON memories (superseded_by_id) WHERE superseded_by_id IS NOT NULL;
CREATE UNIQUE INDEX memories_capture ON memories (capture_key) WHERE capture_key IS NOT NULL;
CREATE TRIGGER vectors_moved AFTER UPDATE OF space, layer, entity_id, archived_at, superseded_by_id, content_hash ON memories
WHEN EXISTS (SELECT 1 FROM vectors WHERE memory_id = NEW.id) BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (NEW.id);
END;
-- A write asks for the mean importance of what was stored of its entity this week: read from the index alone, a hundred
-- memories take 10 microseconds, row by row 150.
CREATE INDEX memories_entity ON memories (entity_id, created_at, importance);
-- Memories of one conversation, or of one member's session, in their order. Neighbours lie within one space.
CREATE INDEX memories_context ON memories (coalesce(conversation_id, author_id || ':' || session_id), space)
WHERE coalesce(conversation_id, author_id || ':' || session_id) IS NOT NULL;
CREATE INDEX memories_put_away ON memories (space, archived_at) WHERE archived_at IS NOT NULL;
-- A name is unique among those who can see it: what lies in another place, or was put away, keeps nobody from using it.
CREATE UNIQUE INDEX memories_name ON memories (space, name) WHERE name IS NOT NULL AND archived_at IS NULL;
-- Turns of conversations are read by place and time, conditions by place alone; hardly any memory has either.
CREATE INDEX memories_turns ON memories (space, created_at) WHERE conversation_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX memories_triggers ON memories (space) WHERE "trigger" IS NOT NULL AND archived_at IS NULL;
-- Few memories wait for a reviewer, and a list asks for them alone.
CREATE INDEX memories_requested ON memories (created_at, id) WHERE requested_visibility IS NOT NULL;
-- Sums over all memories in sight read these indexes alone: the rows with their texts take five times as long.
-- SQLite needs the column of the condition in an index that it reads in place of the rows. The last column says whether a memory is
-- a session note, as the condition of the store does.
CREATE INDEX memories_listed ON memories (
  space, created_at, layer, importance, entity_id, category, author_id, project_id, confidence, archived_at, octet_length(content),
  (CASE WHEN (capture_key IS NOT NULL AND coalesce(source, '') IN ('first_intent', 'automated_task', 'clarification', 'file_edit', 'error_recovery', 'failure', 'episode', 'session_summary', 'digest')) THEN 1 ELSE 0 END)
) WHERE archived_at IS NULL;
-- The first view of the page counts flagged memories.
CREATE INDEX memories_flagged ON memories (space, created_at) WHERE trust <> 'normal' AND archived_at IS NULL;
-- Memories of one session are read when its context is compacted, and when it ends.
CREATE INDEX memories_session ON memories (session_id, author_id, space, archived_at, created_at) WHERE session_id IS NOT NULL;
-- The last use of each entity, and the memories used lately, without their texts. A new memory has no entry.
CREATE INDEX memories_used ON memories (space, last_accessed_at, importance, entity_id, archived_at)
  WHERE last_accessed_at IS NOT NULL AND archived_at IS NULL;
-- Memories with an expiry of their own are few, and every list leaves out those whose time has come.
CREATE INDEX memories_expiring ON memories (expires_at, importance, layer) WHERE expires_explicit AND archived_at IS NULL;

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
CREATE TRIGGER vectors_added AFTER INSERT ON vectors BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (NEW.memory_id);
END;
CREATE TRIGGER vectors_changed AFTER UPDATE ON vectors BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (OLD.memory_id), (NEW.memory_id);
END;
CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (OLD.memory_id);
END;
CREATE TRIGGER vectors_stored AFTER INSERT ON vectors BEGIN
  INSERT OR IGNORE INTO vectors_uncompared (identity_id, memory_id) VALUES (NEW.identity_id, NEW.memory_id);
END;

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
-- Contradictions that nobody has settled, the last found first.
CREATE INDEX memory_links_contradicts ON memory_links (created_at) WHERE type = 'contradicts';

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
  checked_by INTEGER REFERENCES members (id),
  end_line INTEGER,
  -- Hash that the source had when it was last found changed, so that a person accepts it where no file is read.
  found_hash TEXT,
  PRIMARY KEY (memory_id, path)
);
-- Few sources are changed or gone, and a list asks for them alone.
CREATE INDEX memory_sources_stale ON memory_sources (memory_id) WHERE status IN ('stale', 'missing');

CREATE TABLE memory_access_log (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  accessed_at INTEGER NOT NULL,
  -- The member that opened the memory: its author and admins may know. Null before this was kept.
  member_id INTEGER
);
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
  closed_at INTEGER,
  joined_from TEXT
);

CREATE TABLE consolidations (
  id INTEGER PRIMARY KEY,
  summary_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  replaced_ids TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  original_layer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  undone_at INTEGER
);
CREATE INDEX consolidations_summary ON consolidations (summary_id);

CREATE TABLE idempotency (
  member_id INTEGER NOT NULL REFERENCES members (id),
  key TEXT NOT NULL,
  tool TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Spaces that a kept answer is about: only a caller that may read all of them gets it again.
  spaces TEXT NOT NULL DEFAULT '[]',
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
  project_id INTEGER,
  -- The subject of an event besides memories (`token:3`), and the number of equal events that one row stands for.
  subject TEXT,
  times INTEGER NOT NULL DEFAULT 1
);

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

-- One text row a memory, kept by the writer in the memory's own transaction.
-- `scope` holds its space, marked `.a` when archived and `.s` when superseded.
CREATE TABLE memory_text (
  memory_id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  title TEXT NOT NULL,
  tags TEXT NOT NULL,
  words TEXT NOT NULL,
  grams TEXT NOT NULL
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

-- The text comes in segmented: the tokenizer splits at blanks and changes nothing.
CREATE VIRTUAL TABLE memory_fts USING fts5 (
  scope, title, tags, words, grams,
  content = 'memory_text',
  content_rowid = 'memory_id',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);

CREATE VIRTUAL TABLE memory_terms USING fts5vocab ('memory_fts', 'row');

-- Where each term of the text index stands: search threads read the rows and weights of a term from it.
CREATE VIRTUAL TABLE memory_term_places USING fts5vocab ('memory_fts', 'instance');

-- Search threads keep text rows in memory. They see new rows by their ids, which only grow, and find changed and removed rows
-- here. Only the last 20,000 are kept: a thread that missed some reads everything again.
CREATE TABLE memory_text_changes (
  seq INTEGER PRIMARY KEY,
  memory_id INTEGER NOT NULL,
  is_text INTEGER NOT NULL
);

-- The embedder of each memory right now, so that no other one does the same work. A claim ends at `until`.
CREATE TABLE embedding_claims (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  identity_id INTEGER NOT NULL REFERENCES embedding_identities (id),
  claimant TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (memory_id, identity_id)
) WITHOUT ROWID;
CREATE INDEX embedding_claims_until ON embedding_claims (until);

-- The vector index in memory follows these numbers: memories of which the vector, or a column that filters read, changed.
-- Triggers write them, so that no writer can forget it. An index that is over 100,000 behind reads everything again.
CREATE TABLE vector_changes (
  seq INTEGER PRIMARY KEY,
  memory_id INTEGER NOT NULL
);
CREATE TRIGGER vector_changes_forgotten AFTER INSERT ON vector_changes BEGIN
  DELETE FROM vector_changes WHERE seq <= NEW.seq - 100000;
END;

-- Ids of purged memories, without their content, so that an import does not bring them back.
CREATE TABLE purged (
  uid TEXT PRIMARY KEY,
  capture_key TEXT,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX purged_capture ON purged (capture_key) WHERE capture_key IS NOT NULL;

-- Activation of each memory. In a table of its own, because a change of a number in `memories` writes the whole row with its text.
CREATE TABLE memory_activation (
  memory_id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  score REAL NOT NULL,
  computed_at INTEGER NOT NULL
);

-- Vectors that were not compared with their neighbours yet. In a table of its own, because a mark on the vector would write its
-- four kilobytes again.
CREATE TABLE vectors_uncompared (
  identity_id INTEGER NOT NULL REFERENCES embedding_identities (id),
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  PRIMARY KEY (identity_id, memory_id)
) WITHOUT ROWID;

-- Runs of maintenance, and the memories that each archived or made, so that a run can be undone.
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

CREATE TABLE entities (
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
-- A name is looked up in many spaces at once.
CREATE INDEX entities_name ON entities (normalised_name, kind);

CREATE TABLE entity_aliases (
  space TEXT NOT NULL,
  kind TEXT NOT NULL,
  normalised_name TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  PRIMARY KEY (space, kind, normalised_name)
) WITHOUT ROWID;
CREATE INDEX entity_aliases_name ON entity_aliases (normalised_name, kind);

-- Two members that use the same session id have two sessions.
CREATE TABLE sessions (
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
  carry TEXT,
  joined_from TEXT,
  PRIMARY KEY (member_id, id)
);

-- The unique key begins with the session: an import of an archive that names no member looks up a turn by it.
CREATE TABLE session_file_edits (
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
  space TEXT NOT NULL,
  joined_from TEXT,
  UNIQUE (session_id, turn_uuid, ordinal, member_id),
  FOREIGN KEY (member_id, session_id) REFERENCES sessions (member_id, id) ON UPDATE CASCADE
);
-- Which files were changed is asked by a part of their path: the index holds all that the search for one reads.
CREATE INDEX session_file_edits_path ON session_file_edits (path_key, operation, space);

CREATE TABLE session_snapshots (
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
  consumed_by TEXT,
  joined_from TEXT,
  PRIMARY KEY (member_id, session_id, kind)
);

-- Confidence before and after a pass of maintenance, so that it can be put back.
CREATE TABLE confidence_changes (
  run_id INTEGER NOT NULL REFERENCES maintenance_runs (id) ON DELETE CASCADE,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  before REAL NOT NULL,
  after REAL NOT NULL,
  PRIMARY KEY (run_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX confidence_changes_memory ON confidence_changes (memory_id);

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

-- Webhooks of members: deliveries go on after `cursor`, a number of the audit log. An id is never used again, so that a
-- receiver takes no delivery for one of a webhook that is gone.
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

-- Questions that found nothing, where the operator wants them kept; of the whole team without a project.
CREATE TABLE gaps (
  id INTEGER PRIMARY KEY,
  project_id INTEGER REFERENCES projects (id),
  question TEXT NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  joined_from TEXT
);
CREATE INDEX gaps_newest ON gaps (project_id, last_at);

-- Statements that were archived because they are wrong or unwanted, as keyed hashes: what is captured of a member's sessions
-- does not bring them back. A purge leaves them, so that nothing refers to the memory.
CREATE TABLE tombstones (
  space TEXT NOT NULL,
  hash TEXT NOT NULL,
  facts TEXT NOT NULL,
  member_id INTEGER NOT NULL,
  memory_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  joined_from TEXT,
  PRIMARY KEY (space, hash, member_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX tombstones_of_memory ON tombstones (memory_id);

-- Secrets of the store itself, made when they are first needed.
CREATE TABLE store_secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Lines that hooks gave to agents.
CREATE TABLE injections (
  member_id INTEGER NOT NULL REFERENCES members (id),
  session_id TEXT NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  surface TEXT NOT NULL,
  at INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  project_id INTEGER REFERENCES projects (id),
  joined_from TEXT,
  PRIMARY KEY (member_id, session_id, memory_id, surface, at)
) WITHOUT ROWID;
CREATE INDEX injections_session ON injections (session_id);
CREATE INDEX injections_memory ON injections (memory_id);

-- Items of the inbox that are assigned to a member or put off until a time. `other_id` is the second memory of a pair, the
-- lesser id, and else the memory itself.
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

INSERT INTO meta (key, value) VALUES ('seq', '0'), ('store_uid', lower(hex(randomblob(16)))), ('places', lower(hex(randomblob(8))));
-- `maintenance` is the author of its passes: it has no token, and nobody can call in its name.
INSERT INTO members (id, name, status, created_at) VALUES
  (0, 'maintenance', 'removed', unixepoch()),
  (1, 'shared', 'active', unixepoch()),
  (2, 'local', 'active', unixepoch());
-- A row's old words are only marked as gone, and leave with the next merge: removing them at once read a page for each word,
-- 13 ms a row at 100,000 memories. A purge merges at once.
INSERT INTO memory_fts (memory_fts, rank) VALUES ('rank', 'bm25(0, 2, 1.5, 1, 0.5)'), ('secure-delete', 0);
