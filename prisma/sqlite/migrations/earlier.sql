-- Migrations of the releases before `1000_init`, one after the other, for stores that such a release made. Version 1.0 drops them.
-- migration 0001_init
-- Everything that later work needs is here, so that no table of a team's data has to be rebuilt.
-- Times are unix seconds, UTC.

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
  last_used_at INTEGER
);

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
) WITHOUT ROWID;

CREATE TABLE entities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'company', 'project', 'concept', 'file', 'other')),
  name TEXT NOT NULL,
  normalised_name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  canonical_key TEXT UNIQUE,
  attributes TEXT,
  momentum_score REAL NOT NULL DEFAULT 0,
  momentum_at INTEGER,
  events_total INTEGER NOT NULL DEFAULT 0,
  first_event_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (kind, normalised_name)
);

CREATE TABLE entity_aliases (
  kind TEXT NOT NULL,
  normalised_name TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  PRIMARY KEY (kind, normalised_name)
) WITHOUT ROWID;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
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
  carry TEXT
);

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
  CHECK (superseded_by_id IS NULL OR (archived_at IS NOT NULL AND superseded_by_id <> id))
);

-- The newest in a place, and the counts of an entity there.
CREATE INDEX memories_place ON memories (space, created_at);
CREATE INDEX memories_entity ON memories (entity_id, created_at);
-- The same words again, asked inside every write.
CREATE INDEX memories_same_words ON memories (entity_id, content_hash) WHERE archived_at IS NULL;
CREATE INDEX memories_pending ON memories (space) WHERE archived_at IS NULL AND embedding_status = 'pending';
CREATE INDEX memories_successor ON memories (superseded_by_id) WHERE superseded_by_id IS NOT NULL;
CREATE UNIQUE INDEX memories_name ON memories (project_id, name) WHERE name IS NOT NULL;
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
  checked_by INTEGER REFERENCES members (id),
  PRIMARY KEY (memory_id, path)
);

CREATE TABLE memory_access_log (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  accessed_at INTEGER NOT NULL
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

CREATE TABLE session_file_edits (
  id INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  memory_id INTEGER REFERENCES memories (id) ON DELETE SET NULL,
  file_path TEXT NOT NULL,
  path_key TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (operation IN ('read', 'edit', 'write', 'bash')),
  turn_uuid TEXT,
  ordinal INTEGER NOT NULL DEFAULT 0,
  context_snippet TEXT,
  occurred_at INTEGER NOT NULL,
  space TEXT NOT NULL,
  UNIQUE (session_id, turn_uuid, ordinal)
);

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
  PRIMARY KEY (session_id, kind)
);

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
);

CREATE TABLE injections (
  session_id TEXT NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  surface TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (session_id, memory_id, surface, at)
) WITHOUT ROWID;

CREATE TABLE consolidations (
  id INTEGER PRIMARY KEY,
  summary_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  replaced_ids TEXT NOT NULL,
  replaced_count INTEGER NOT NULL,
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
  at INTEGER NOT NULL,
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

INSERT INTO meta (key, value) VALUES ('seq', '0'), ('store_uid', lower(hex(randomblob(16))));
INSERT INTO members (id, name, created_at) VALUES (1, 'shared', unixepoch()), (2, 'local', unixepoch());
-- migration 0002_search
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

-- The text comes in segmented: the tokenizer splits at blanks and changes nothing.
CREATE VIRTUAL TABLE memory_fts USING fts5 (
  scope, title, tags, words, grams,
  content = 'memory_text',
  content_rowid = 'memory_id',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
INSERT INTO memory_fts (memory_fts, rank) VALUES ('secure-delete', 1);
INSERT INTO memory_fts (memory_fts, rank) VALUES ('rank', 'bm25(0, 2, 1.5, 1, 0.5)');

CREATE VIRTUAL TABLE memory_terms USING fts5vocab ('memory_fts', 'row');
-- migration 0003_ranked_in_memory
-- Where each term of the text index stands: search threads read the rows and weights of a term from it.
CREATE VIRTUAL TABLE memory_term_places USING fts5vocab ('memory_fts', 'instance');

-- Search threads keep what they have read of the text rows in memory. New rows they see by their ids, which only grow;
-- rows that changed or went away they find here. Only the last of these rows are kept: who has missed some reads anew.
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
-- migration 0010_embedding_claims
-- Who is embedding which memory right now, so that nobody does it a second time. A claim that has run out is none.
CREATE TABLE embedding_claims (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  identity_id INTEGER NOT NULL REFERENCES embedding_identities (id),
  claimant TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (memory_id, identity_id)
) WITHOUT ROWID;
CREATE INDEX embedding_claims_until ON embedding_claims (until);
-- migration 0020_vector_changes
-- What the vector index in memory follows: whose vector, or what filters ask of its memory, changed; by number, the
-- newest hundred thousand. By triggers, so that no writer can forget it. Who fell further behind reads everything anew.
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
-- migration 0030_access
-- A token made with another one ends with it.
ALTER TABLE tokens ADD COLUMN parent_id INTEGER REFERENCES tokens (id);

-- What an event was about besides memories (`token:3`), and how many alike one row stands for.
ALTER TABLE audit_log ADD COLUMN subject TEXT;
ALTER TABLE audit_log ADD COLUMN times INTEGER NOT NULL DEFAULT 1;

-- Tells every process whether what it knows of places is still so. A random word, since a number comes back after a rollback.
INSERT INTO meta (key, value) VALUES ('places', lower(hex(randomblob(8))));

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
-- migration 0031_purged
-- What was purged stays purged: an import that brings it again is told by these, which say nothing of what it was.
CREATE TABLE purged (
  uid TEXT PRIMARY KEY,
  capture_key TEXT,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX purged_capture ON purged (capture_key) WHERE capture_key IS NOT NULL;
-- migration 0040_lifecycle
-- How present each memory still is. Beside the memories: changing a number there writes a whole row anew, text and all.
CREATE TABLE memory_activation (
  memory_id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  score REAL NOT NULL,
  computed_at INTEGER NOT NULL
);

-- Vectors that were not held against their neighbours yet, however they came. Beside them: a mark on the vector itself
-- would write its four kilobytes again.
CREATE TABLE vectors_uncompared (
  identity_id INTEGER NOT NULL REFERENCES embedding_identities (id),
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  PRIMARY KEY (identity_id, memory_id)
) WITHOUT ROWID;
INSERT INTO vectors_uncompared (identity_id, memory_id) SELECT identity_id, memory_id FROM vectors;
CREATE TRIGGER vectors_stored AFTER INSERT ON vectors BEGIN
  INSERT OR IGNORE INTO vectors_uncompared (identity_id, memory_id) VALUES (NEW.identity_id, NEW.memory_id);
END;

-- The runs of maintenance, and what each put out of sight or made, so that it can be undone.
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

-- Whoever changes a memory when time does. It has no token, and nobody can ask in its name.
INSERT INTO members (id, name, status, created_at) VALUES (0, 'maintenance', 'removed', unixepoch());
-- migration 0050_sessions
-- What one session left behind is asked when its context is compacted, and when it ends.
CREATE INDEX memories_session ON memories (session_id) WHERE session_id IS NOT NULL;
-- migration 0051_file_paths
-- Which files were changed is asked by a part of their path: the index holds all that the search for one reads.
CREATE INDEX session_file_edits_path ON session_file_edits (path_key, operation, space);
-- migration 0070_context
-- What was stored in one conversation or session, in its order: search threads read from it which memories stand beside
-- each other.
CREATE INDEX memories_context ON memories (coalesce(conversation_id, session_id))
WHERE coalesce(conversation_id, session_id) IS NOT NULL;
-- migration 0080_quick_changes
-- Taking a row's old words out of the index in place read a page for each of them: 13 ms a row at 100,000 memories.
-- They are marked gone instead, and leave with the next merge; what purges or redacts merges at once.
INSERT INTO memory_fts (memory_fts, rank) VALUES ('secure-delete', 0);
-- migration 0090_entity_spaces
-- An entity belongs to the space that its memories lie in: a name, a kind, a key or a momentum that comes of memories
-- somebody may not open is not theirs to see. One with memories in several spaces becomes one for each of them. Which of
-- them its name came from was never written down, so each keeps it; the key and the number stay where it was made, and a
-- key that is stated again elsewhere is taken there anew.
CREATE TABLE parted AS
  WITH places AS (
    SELECT entity_id AS old_id, space, min(id) AS first_id, min(created_at) AS created_at FROM memories GROUP BY entity_id, space),
  ordered AS (
    SELECT *, row_number() OVER (PARTITION BY old_id ORDER BY first_id) AS place FROM places)
  SELECT old_id, space, created_at, place,
    iif(place = 1, old_id, (SELECT seq FROM sqlite_sequence WHERE name = 'entities')
      + row_number() OVER (PARTITION BY place = 1 ORDER BY first_id)) AS id
  FROM ordered;
CREATE UNIQUE INDEX parted_place ON parted (old_id, space);
CREATE INDEX parted_id ON parted (id);

CREATE TABLE entities_parted (
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

-- What nothing is remembered of lies in no space at all.
INSERT INTO entities_parted (id, uid, space, kind, name, normalised_name, folded_name, canonical_key, attributes,
    momentum_score, momentum_at, events_total, first_event_at, created_at, updated_at)
  SELECT e.id, e.uid, coalesce(p.space, ''), e.kind, e.name, e.normalised_name, e.folded_name, e.canonical_key,
    e.attributes, e.momentum_score, e.momentum_at, e.events_total, e.first_event_at, e.created_at, e.updated_at
  FROM entities e LEFT JOIN parted p ON p.id = e.id AND p.place = 1;

INSERT INTO entities_parted (id, uid, space, kind, name, normalised_name, folded_name, created_at, updated_at)
  SELECT p.id,
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
      || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
    p.space, e.kind, e.name, e.normalised_name, e.folded_name, p.created_at, p.created_at
  FROM parted p JOIN entities e ON e.id = p.old_id WHERE p.place > 1;

UPDATE memories SET entity_id = p.id FROM parted p
  WHERE p.place > 1 AND p.old_id = memories.entity_id AND p.space = memories.space;

UPDATE consolidations SET entity_id = m.entity_id FROM memories m
  WHERE m.id = consolidations.summary_id AND m.entity_id <> consolidations.entity_id;

UPDATE events SET entity_id = m.entity_id FROM memories m
  WHERE m.id = json_extract(events.payload, '$.memory_id') AND m.entity_id <> events.entity_id
    AND events.entity_id IN (SELECT old_id FROM parted WHERE place > 1);

-- Maintenance computes their momentum anew.
UPDATE entities_parted SET momentum_score = 0, momentum_at = NULL,
    events_total = (SELECT count(*) FROM events WHERE entity_id = entities_parted.id),
    first_event_at = (SELECT min(occurred_at) FROM events WHERE entity_id = entities_parted.id)
  WHERE id IN (SELECT id FROM parted WHERE old_id IN (SELECT old_id FROM parted WHERE place > 1));

CREATE TABLE entity_aliases_parted (
  space TEXT NOT NULL,
  kind TEXT NOT NULL,
  normalised_name TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  PRIMARY KEY (space, kind, normalised_name)
) WITHOUT ROWID;

INSERT INTO entity_aliases_parted (space, kind, normalised_name, entity_id)
  SELECT e.space, a.kind, a.normalised_name, a.entity_id
  FROM entity_aliases a JOIN entities_parted e ON e.id = a.entity_id;

DROP TABLE entity_aliases;
DROP TABLE entities;
ALTER TABLE entities_parted RENAME TO entities;
ALTER TABLE entity_aliases_parted RENAME TO entity_aliases;
DROP TABLE parted;

-- A name is asked for in many spaces at once.
CREATE INDEX entities_name ON entities (normalised_name, kind);
CREATE INDEX entity_aliases_name ON entity_aliases (normalised_name, kind);
-- migration 0091_known_at
-- When what was imported came in: until it has had its time here, no pass takes it for old.
ALTER TABLE memories ADD COLUMN known_at INTEGER;
-- migration 0093_entity_importance
-- A write asks for the mean importance of what was stored of its entity this week: read from the index alone, a hundred
-- memories take 10 microseconds, row by row 150.
DROP INDEX memories_entity;
CREATE INDEX memories_entity ON memories (entity_id, created_at, importance);
-- migration 0100_closed_answers
-- The spaces that a kept answer is about: it is given again only to a caller whom all of them are open to.
ALTER TABLE idempotency ADD COLUMN spaces TEXT NOT NULL DEFAULT '[]';
UPDATE idempotency SET spaces = json_array(m.space) FROM memories m
  WHERE m.id = json_extract(idempotency.answer, '$.memory_id');
-- migration 0101_sessions_of_members
-- The id of a session is its member's: two members that use the same one have two sessions, and neither is told of the
-- other's.
CREATE TABLE sessions_owned (
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
  PRIMARY KEY (member_id, id)
);
INSERT INTO sessions_owned (id, project_id, member_id, client, status, started_at, last_seen_at, ended_at, prompt_count,
    imported_lines, last_line_hash, carry)
  SELECT id, project_id, member_id, client, status, started_at, last_seen_at, ended_at, prompt_count, imported_lines,
    last_line_hash, carry
  FROM sessions;

-- What is known of a turn is asked before its member is, by an import of an archive that names none.
CREATE TABLE session_file_edits_owned (
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
  UNIQUE (session_id, turn_uuid, ordinal, member_id),
  FOREIGN KEY (member_id, session_id) REFERENCES sessions (member_id, id) ON UPDATE CASCADE
);
INSERT INTO session_file_edits_owned (id, member_id, session_id, memory_id, file_path, path_key, operation, turn_uuid,
    ordinal, context_snippet, occurred_at, space)
  SELECT e.id, s.member_id, e.session_id, e.memory_id, e.file_path, e.path_key, e.operation, e.turn_uuid, e.ordinal,
    e.context_snippet, e.occurred_at, e.space
  FROM session_file_edits e JOIN sessions s ON s.id = e.session_id;

CREATE TABLE session_snapshots_owned (
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
  PRIMARY KEY (member_id, session_id, kind)
);
INSERT INTO session_snapshots_owned (session_id, kind, project_id, member_id, body, keywords, git_sha, branch, dirty,
    created_at, consumed_at, consumed_by)
  SELECT session_id, kind, project_id, member_id, body, keywords, git_sha, branch, dirty, created_at, consumed_at,
    consumed_by
  FROM session_snapshots;

DROP TABLE session_file_edits;
DROP TABLE session_snapshots;
DROP TABLE sessions;
ALTER TABLE sessions_owned RENAME TO sessions;
ALTER TABLE session_file_edits_owned RENAME TO session_file_edits;
ALTER TABLE session_snapshots_owned RENAME TO session_snapshots;
CREATE INDEX session_file_edits_path ON session_file_edits (path_key, operation, space);

-- What one member stored in one session stands together; the same id of another member is another session.
DROP INDEX memories_context;
-- Neighbours lie within one space: what other members store in a session of the same name stands between none.
CREATE INDEX memories_context ON memories (coalesce(conversation_id, author_id || ':' || session_id), space)
WHERE coalesce(conversation_id, author_id || ':' || session_id) IS NOT NULL;
-- migration 0110_listings
-- Lists of what is in sight in a place, newest first, and their totals.
CREATE INDEX memories_listed ON memories (space, created_at) WHERE archived_at IS NULL;
CREATE INDEX memories_put_away ON memories (space, archived_at) WHERE archived_at IS NOT NULL;

-- A name is unique among those who can see it: what lies in another place, or was put away, keeps nobody from using it.
DROP INDEX memories_name;
CREATE UNIQUE INDEX memories_name ON memories (space, name) WHERE name IS NOT NULL AND archived_at IS NULL;
-- migration 0111_project_aliases
-- A key that leads to a project is part of what every process knows of places.
CREATE TRIGGER places_alias_added AFTER INSERT ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_alias_moved AFTER UPDATE ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_alias_gone AFTER DELETE ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
-- migration 0112_readers
-- The member that opened a memory: its author and admins may know. Of what was opened before this, nobody knows.
ALTER TABLE memory_access_log ADD COLUMN member_id INTEGER;
-- migration 0120_conflicts
-- Contradictions that nobody has settled, the last found first.
CREATE INDEX memory_links_contradicts ON memory_links (created_at) WHERE type = 'contradicts';
-- migration 0140_sign_ins
-- A sign-in of the page, and the one-time link that leads to one, are tokens of other kinds: one predicate decides what
-- they open, and one revocation ends them with the token that they came from.
ALTER TABLE tokens ADD COLUMN kind TEXT NOT NULL DEFAULT 'token' CHECK (kind IN ('token', 'link', 'session'));
-- migration 0150_conversations
-- Turns of conversations are read by place and time, conditions by place alone; hardly any memory has either.
CREATE INDEX memories_turns ON memories (space, created_at) WHERE conversation_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX memories_triggers ON memories (space) WHERE "trigger" IS NOT NULL AND archived_at IS NULL;
-- migration 0160_confidence
-- What a pass took of a memory's confidence, so that it can be put back.
CREATE TABLE confidence_changes (
  run_id INTEGER NOT NULL REFERENCES maintenance_runs (id) ON DELETE CASCADE,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  before REAL NOT NULL,
  after REAL NOT NULL,
  PRIMARY KEY (run_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX confidence_changes_memory ON confidence_changes (memory_id);
-- migration 0170_sources
-- Last of the lines that a memory comes from; `line` is the first.
ALTER TABLE memory_sources ADD COLUMN end_line INTEGER;

-- What has changed or gone is few among many, and asked for by itself.
CREATE INDEX memory_sources_stale ON memory_sources (memory_id) WHERE status IN ('stale', 'missing');
-- migration 0190_oauth
-- A grant is what a member lets a client do; its access tokens are rows of their own that end with it. SQLite cannot
-- change a CHECK, so the column is made anew.
ALTER TABLE tokens ADD COLUMN kind_of TEXT NOT NULL DEFAULT 'token'
  CHECK (kind_of IN ('token', 'link', 'session', 'grant', 'access'));
UPDATE tokens SET kind_of = kind;
ALTER TABLE tokens DROP COLUMN kind;
ALTER TABLE tokens RENAME COLUMN kind_of TO kind;
ALTER TABLE tokens ADD COLUMN client TEXT;

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
-- migration 0200_promotions
-- What waits for a reviewer is few among many, and asked for by itself.
CREATE INDEX memories_requested ON memories (created_at, id) WHERE requested_visibility IS NOT NULL;
-- migration 0200_webhooks
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
-- migration 0230_gaps
-- Questions that found nothing, where the operator wants them kept; of the whole team without a project.
CREATE TABLE gaps (
  id INTEGER PRIMARY KEY,
  project_id INTEGER REFERENCES projects (id),
  question TEXT NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
);

CREATE INDEX gaps_newest ON gaps (project_id, last_at);
-- migration 0240_sums
-- Sums over all memories in sight read these indexes alone: the rows with their texts take five times as long.
-- SQLite needs the column of the condition in an index that it reads in place of the rows.
DROP INDEX memories_listed;
CREATE INDEX memories_listed ON memories (
  space, created_at, layer, importance, entity_id, category, author_id, project_id, confidence, archived_at, octet_length(content)
) WHERE archived_at IS NULL;

DROP INDEX memories_session;
CREATE INDEX memories_session ON memories (session_id, author_id, space, archived_at, created_at) WHERE session_id IS NOT NULL;
-- migration 0250_used
-- The last use of each entity, and what was used lately, without the rows and their texts. A new memory costs nothing here.
CREATE INDEX memories_used ON memories (space, last_accessed_at, importance, entity_id, archived_at)
  WHERE last_accessed_at IS NOT NULL AND archived_at IS NULL;
-- migration 0260_replaced_count
-- The length of `replaced_ids`, which nothing read.
ALTER TABLE consolidations DROP COLUMN replaced_count;
-- migration 0270_expiries
-- Memories with an expiry of their own are few, and every list leaves out those whose time has come.
CREATE INDEX memories_expiring ON memories (expires_at, importance, layer) WHERE expires_explicit AND archived_at IS NULL;
-- migration 0270_tombstones
-- Statements that were archived because they are wrong or unwanted, as keyed hashes: what is captured of a member's sessions
-- does not bring them back. A purge leaves them, so that nothing refers to the memory.
CREATE TABLE tombstones (
  space TEXT NOT NULL,
  hash TEXT NOT NULL,
  facts TEXT NOT NULL,
  member_id INTEGER NOT NULL,
  memory_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (space, hash, member_id, memory_id)
) WITHOUT ROWID;

CREATE INDEX tombstones_of_memory ON tombstones (memory_id);

-- Secrets of the store itself, made when they are first needed.
CREATE TABLE store_secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
-- migration 0280_found_by_name
-- The name of a memory is among its words now: text rows of named ones are made anew beside everything else.
DELETE FROM meta WHERE key = 'segmenter_version' AND EXISTS (SELECT 1 FROM memories WHERE name IS NOT NULL);
UPDATE memories SET segmenter_version = '' WHERE name IS NOT NULL;
-- migration 0290_page
-- Hash that a source had when it was last found changed, so that a person accepts it where no file is read.
ALTER TABLE memory_sources ADD COLUMN found_hash TEXT;
-- When a member last looked at the page's first view.
ALTER TABLE members ADD COLUMN looked_at INTEGER;
-- migration 0300_shown
-- Lines that hooks gave to agents. The table of that name before held rows without a member, kept for seven days.
DROP TABLE injections;

CREATE TABLE injections (
  member_id INTEGER NOT NULL REFERENCES members (id),
  session_id TEXT NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  surface TEXT NOT NULL,
  at INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  project_id INTEGER REFERENCES projects (id),
  PRIMARY KEY (member_id, session_id, memory_id, surface, at)
) WITHOUT ROWID;

CREATE INDEX injections_session ON injections (session_id);
CREATE INDEX injections_memory ON injections (memory_id);
-- migration 0310_joined_projects
-- Projects that a row lay in before they were joined to another, the first one first: a split puts it back.
ALTER TABLE memories ADD COLUMN joined_from TEXT;
ALTER TABLE sessions ADD COLUMN joined_from TEXT;
ALTER TABLE session_snapshots ADD COLUMN joined_from TEXT;
ALTER TABLE work_items ADD COLUMN joined_from TEXT;
ALTER TABLE gaps ADD COLUMN joined_from TEXT;
ALTER TABLE session_file_edits ADD COLUMN joined_from TEXT;
ALTER TABLE tombstones ADD COLUMN joined_from TEXT;
ALTER TABLE project_aliases ADD COLUMN joined_from TEXT;
ALTER TABLE injections ADD COLUMN joined_from TEXT;
-- migration 0320_inbox_notes
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
-- migration 0330_home
-- The first view of the page counts new memories without session notes, and flagged ones, from indexes alone. The last
-- column says whether a memory is a session note, as the condition of the store does.
DROP INDEX memories_listed;
CREATE INDEX memories_listed ON memories (
  space, created_at, layer, importance, entity_id, category, author_id, project_id, confidence, archived_at, octet_length(content),
  (CASE WHEN (capture_key IS NOT NULL AND coalesce(source, '') IN ('first_intent', 'automated_task', 'clarification', 'file_edit', 'error_recovery', 'failure', 'episode', 'session_summary', 'digest')) THEN 1 ELSE 0 END)
) WHERE archived_at IS NULL;

CREATE INDEX memories_flagged ON memories (space, created_at) WHERE trust <> 'normal' AND archived_at IS NULL;
-- migration 1000_init
DELETE FROM chest_migrations;
