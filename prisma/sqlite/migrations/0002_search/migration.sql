-- One text row a memory, kept by the writer in the memory's own transaction.
-- `scope` holds its space, marked `.a` when archived and `.s` when superseded.
CREATE TABLE memory_text (
  memory_id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  title TEXT NOT NULL,
  tags TEXT NOT NULL,
  words TEXT NOT NULL,
  grams TEXT NOT NULL
);

-- The text comes in segmented: the tokenizer splits at blanks and changes nothing.
CREATE VIRTUAL TABLE memory_fts USING fts5 (
  scope, title, tags, words, grams,
  content = 'memory_text',
  content_rowid = 'memory_id',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
INSERT INTO memory_fts (memory_fts, rank) VALUES ('secure-delete', 1);
INSERT INTO memory_fts (memory_fts, rank) VALUES ('rank', 'bm25(0, 2, 1.5, 1, 0.5)');

CREATE VIRTUAL TABLE memory_terms USING fts5vocab ('memory_fts', 'row');
