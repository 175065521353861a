-- Lines that hooks gave to agents.
CREATE TABLE injections (
  member_id bigint NOT NULL REFERENCES members,
  session_id text NOT NULL,
  memory_id bigint NOT NULL REFERENCES memories ON DELETE CASCADE,
  surface text NOT NULL,
  at bigint NOT NULL,
  tokens bigint NOT NULL,
  project_id bigint REFERENCES projects,
  PRIMARY KEY (member_id, session_id, memory_id, surface, at)
);

CREATE INDEX injections_session ON injections (session_id);
CREATE INDEX injections_memory ON injections (memory_id);
