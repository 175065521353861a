ALTER TABLE memories ADD COLUMN requested_visibility text CHECK (requested_visibility = 'team');

-- What waits for a reviewer is few among many, and asked for by itself.
CREATE INDEX memories_requested ON memories (created_at, id) WHERE requested_visibility IS NOT NULL;
