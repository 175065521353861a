-- The last use of each entity, and what was used lately, without the rows and their texts. A new memory costs nothing here.
CREATE INDEX memories_used ON memories (space, last_accessed_at, importance, entity_id, archived_at)
  WHERE last_accessed_at IS NOT NULL AND archived_at IS NULL;
