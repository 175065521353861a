-- Where each term of the text index stands: search threads read the rows and weights of a term from it.
CREATE VIRTUAL TABLE memory_term_places USING fts5vocab ('memory_fts', 'instance');

-- Search threads keep what they have read of the text rows in memory. New rows they see by their ids, which only grow;
-- rows that changed or went away they find here. Only the last of these rows are kept: who has missed some reads anew.
CREATE TABLE memory_text_changes (
  seq INTEGER PRIMARY KEY,
  memory_id INTEGER NOT NULL,
  is_text INTEGER NOT NULL
);

CREATE TRIGGER memory_text_updated AFTER UPDATE ON memory_text BEGIN
  INSERT INTO memory_text_changes (memory_id, is_text) VALUES (
    NEW.memory_id,
    (NEW.title, NEW.tags, NEW.words, NEW.grams) IS NOT (OLD.title, OLD.tags, OLD.words, OLD.grams)
  );
  DELETE FROM memory_text_changes WHERE seq <= (SELECT max(seq) FROM memory_text_changes) - 20000;
END;

CREATE TRIGGER memory_text_deleted AFTER DELETE ON memory_text BEGIN
  INSERT INTO memory_text_changes (memory_id, is_text) VALUES (OLD.memory_id, 1);
  DELETE FROM memory_text_changes WHERE seq <= (SELECT max(seq) FROM memory_text_changes) - 20000;
END;
