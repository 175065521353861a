-- The name of a memory is among its words now: text rows of named ones are made anew beside everything else.
DELETE FROM meta WHERE key = 'segmenter_version' AND EXISTS (SELECT 1 FROM memories WHERE name IS NOT NULL);
UPDATE memories SET segmenter_version = '' WHERE name IS NOT NULL;
