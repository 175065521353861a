-- Statements that were archived because they are wrong or unwanted, as keyed hashes: what is captured of a member's sessions
-- does not bring them back. A purge leaves them, so that nothing refers to the memory.
CREATE TABLE tombstones (
  space text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  facts text NOT NULL,
  member_id bigint NOT NULL,
  memory_id bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (space, hash, member_id, memory_id)
);

CREATE INDEX tombstones_of_memory ON tombstones (memory_id);

-- Secrets of the store itself, made when they are first needed.
CREATE TABLE store_secrets (
  name text PRIMARY KEY,
  value text NOT NULL
);
