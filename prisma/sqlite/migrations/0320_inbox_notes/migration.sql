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
