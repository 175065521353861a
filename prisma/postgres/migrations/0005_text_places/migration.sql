-- A search by words looks up the place and the length of a thousand rows by their memory: the index holds both, and the
-- texts are not read for it.
ALTER TABLE memory_text DROP CONSTRAINT memory_text_pkey, ADD PRIMARY KEY (memory_id) INCLUDE (scope, length);
