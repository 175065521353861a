-- A grant is what a member lets a client do; its access tokens are rows of their own that end with it. SQLite cannot
-- change a CHECK, so the column is made anew.
ALTER TABLE tokens ADD COLUMN kind_of TEXT NOT NULL DEFAULT 'token'
  CHECK (kind_of IN ('token', 'link', 'session', 'grant', 'access'));
UPDATE tokens SET kind_of = kind;
ALTER TABLE tokens DROP COLUMN kind;
ALTER TABLE tokens RENAME COLUMN kind_of TO kind;
ALTER TABLE tokens ADD COLUMN client TEXT;

CREATE TABLE oauth_records (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  grant_id INTEGER REFERENCES tokens (id),
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  consumed_at INTEGER,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE INDEX oauth_records_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_end ON oauth_records (expires_at);
