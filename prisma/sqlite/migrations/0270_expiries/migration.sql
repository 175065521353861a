-- Memories with an expiry of their own are few, and every list leaves out those whose time has come.
CREATE INDEX memories_expiring ON memories (expires_at, importance, layer) WHERE expires_explicit AND archived_at IS NULL;
