-- The first view of the page counts new memories without session notes, and flagged ones, from indexes alone. The last
-- column says whether a memory is a session note, as the condition of the store does.
DROP INDEX memories_listed;
CREATE INDEX memories_listed ON memories (
  space, created_at, layer, importance, entity_id, category, author_id, project_id, confidence, archived_at, octet_length(content),
  (CASE WHEN (capture_key IS NOT NULL AND coalesce(source, '') IN ('first_intent', 'automated_task', 'clarification', 'file_edit', 'error_recovery', 'failure', 'episode', 'session_summary', 'digest')) THEN 1 ELSE 0 END)
) WHERE archived_at IS NULL;

CREATE INDEX memories_flagged ON memories (space, created_at) WHERE trust <> 'normal' AND archived_at IS NULL;
