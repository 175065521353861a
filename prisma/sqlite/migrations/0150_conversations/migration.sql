-- Turns of conversations are read by place and time, conditions by place alone; hardly any memory has either.
CREATE INDEX memories_turns ON memories (space, created_at) WHERE conversation_id IS NOT NULL AND archived_at IS NULL;
CREATE INDEX memories_triggers ON memories (space) WHERE "trigger" IS NOT NULL AND archived_at IS NULL;
