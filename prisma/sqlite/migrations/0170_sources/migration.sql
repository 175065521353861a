-- Last of the lines that a memory comes from; `line` is the first.
ALTER TABLE memory_sources ADD COLUMN end_line INTEGER;

-- What has changed or gone is few among many, and asked for by itself.
CREATE INDEX memory_sources_stale ON memory_sources (memory_id) WHERE status IN ('stale', 'missing');
