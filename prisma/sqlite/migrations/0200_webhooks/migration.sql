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
