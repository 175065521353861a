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
