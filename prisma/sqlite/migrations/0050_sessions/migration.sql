-- What one session left behind is asked when its context is compacted, and when it ends.
CREATE INDEX memories_session ON memories (session_id) WHERE session_id IS NOT NULL;
