-- Statements that were archived because they are wrong or unwanted, as keyed hashes: what is captured of a member's sessions
-- does not bring them back. A purge leaves them, so that nothing refers to the memory.
CREATE TABLE tombstones (
  space TEXT NOT NULL,
  hash TEXT NOT NULL,
  facts TEXT NOT NULL,
  member_id INTEGER NOT NULL,
  memory_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (space, hash, member_id, memory_id)
) WITHOUT ROWID;

CREATE INDEX tombstones_of_memory ON tombstones (memory_id);

-- Secrets of the store itself, made when they are first needed.
CREATE TABLE store_secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
