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
