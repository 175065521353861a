-- What the vector index in memory follows: whose vector, or what filters ask of its memory, changed; by number, the
-- newest hundred thousand. By triggers, so that no writer can forget it. Who fell further behind reads everything anew.
CREATE TABLE vector_changes (
  seq INTEGER PRIMARY KEY,
  memory_id INTEGER NOT NULL
);

CREATE TRIGGER vectors_added AFTER INSERT ON vectors BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (NEW.memory_id);
END;

CREATE TRIGGER vectors_changed AFTER UPDATE ON vectors BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (OLD.memory_id), (NEW.memory_id);
END;

CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (OLD.memory_id);
END;

CREATE TRIGGER vectors_moved AFTER UPDATE OF space, layer, entity_id, archived_at, superseded_by_id, content_hash ON memories
WHEN EXISTS (SELECT 1 FROM vectors WHERE memory_id = NEW.id) BEGIN
  INSERT INTO vector_changes (memory_id) VALUES (NEW.id);
END;

CREATE TRIGGER vector_changes_forgotten AFTER INSERT ON vector_changes BEGIN
  DELETE FROM vector_changes WHERE seq <= NEW.seq - 100000;
END;
