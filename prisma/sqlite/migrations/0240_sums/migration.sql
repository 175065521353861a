-- Sums over all memories in sight read these indexes alone: the rows with their texts take five times as long.
-- SQLite needs the column of the condition in an index that it reads in place of the rows.
DROP INDEX memories_listed;
CREATE INDEX memories_listed ON memories (
  space, created_at, layer, importance, entity_id, category, author_id, project_id, confidence, archived_at, octet_length(content)
) WHERE archived_at IS NULL;

DROP INDEX memories_session;
CREATE INDEX memories_session ON memories (session_id, author_id, space, archived_at, created_at) WHERE session_id IS NOT NULL;
