-- The first view of the page counts flagged memories.
CREATE INDEX memories_flagged ON memories (space, created_at) WHERE trust <> 'normal' AND archived_at IS NULL;
