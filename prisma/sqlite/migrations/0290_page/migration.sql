-- Hash that a source had when it was last found changed, so that a person accepts it where no file is read.
ALTER TABLE memory_sources ADD COLUMN found_hash TEXT;
-- When a member last looked at the page's first view.
ALTER TABLE members ADD COLUMN looked_at INTEGER;
