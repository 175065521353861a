-- What a pass took of a memory's confidence, so that it can be put back.
CREATE TABLE confidence_changes (
  run_id INTEGER NOT NULL REFERENCES maintenance_runs (id) ON DELETE CASCADE,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  before REAL NOT NULL,
  after REAL NOT NULL,
  PRIMARY KEY (run_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX confidence_changes_memory ON confidence_changes (memory_id);
