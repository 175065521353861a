-- Items of the inbox that are assigned to a member or put off until a time. `other_id` is the second memory of a pair, the
-- lesser id, and else the memory itself.
CREATE TABLE inbox_notes (
  kind text NOT NULL,
  memory_id bigint NOT NULL REFERENCES memories ON DELETE CASCADE,
  other_id bigint NOT NULL REFERENCES memories ON DELETE CASCADE,
  assignee_id bigint REFERENCES members,
  snoozed_until bigint,
  reason text,
  author_id bigint NOT NULL REFERENCES members,
  noted_at bigint NOT NULL,
  PRIMARY KEY (kind, memory_id, other_id)
);

CREATE INDEX inbox_notes_memory ON inbox_notes (memory_id);
CREATE INDEX inbox_notes_other ON inbox_notes (other_id);
