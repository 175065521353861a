-- Contradictions that nobody has settled, the last found first.
CREATE INDEX memory_links_contradicts ON memory_links (created_at) WHERE type = 'contradicts';
