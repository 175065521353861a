-- What was stored in one conversation or session, in its order: search threads read from it which memories stand beside
-- each other.
CREATE INDEX memories_context ON memories (coalesce(conversation_id, session_id))
WHERE coalesce(conversation_id, session_id) IS NOT NULL;
