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
