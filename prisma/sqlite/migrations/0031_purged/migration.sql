-- What was purged stays purged: an import that brings it again is told by these, which say nothing of what it was.
CREATE TABLE purged (
  uid TEXT PRIMARY KEY,
  capture_key TEXT,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX purged_capture ON purged (capture_key) WHERE capture_key IS NOT NULL;
