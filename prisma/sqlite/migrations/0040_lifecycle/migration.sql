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
