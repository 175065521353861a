-- The spaces that a kept answer is about: it is given again only to a caller whom all of them are open to.
ALTER TABLE idempotency ADD COLUMN spaces TEXT NOT NULL DEFAULT '[]';
UPDATE idempotency SET spaces = json_array(m.space) FROM memories m
  WHERE m.id = json_extract(idempotency.answer, '$.memory_id');
