-- When what was imported came in: until it has had its time here, no pass takes it for old.
ALTER TABLE memories ADD COLUMN known_at INTEGER;
