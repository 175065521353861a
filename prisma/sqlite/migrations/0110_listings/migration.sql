-- Lists of what is in sight in a place, newest first, and their totals.
CREATE INDEX memories_listed ON memories (space, created_at) WHERE archived_at IS NULL;
CREATE INDEX memories_put_away ON memories (space, archived_at) WHERE archived_at IS NOT NULL;

-- A name is unique among those who can see it: what lies in another place, or was put away, keeps nobody from using it.
DROP INDEX memories_name;
CREATE UNIQUE INDEX memories_name ON memories (space, name) WHERE name IS NOT NULL AND archived_at IS NULL;
