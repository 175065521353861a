-- Memories stand beside each other within one space: what others store in a session of the same name stands between none.
DROP INDEX memories_context;
CREATE INDEX memories_context ON memories (coalesce(conversation_id, session_id), space)
WHERE coalesce(conversation_id, session_id) IS NOT NULL;
