-- A token made with another one ends with it.
ALTER TABLE tokens ADD COLUMN parent_id INTEGER REFERENCES tokens (id);

-- What an event was about besides memories (`token:3`), and how many alike one row stands for.
ALTER TABLE audit_log ADD COLUMN subject TEXT;
ALTER TABLE audit_log ADD COLUMN times INTEGER NOT NULL DEFAULT 1;

-- Tells every process whether what it knows of places is still so. A random word, since a number comes back after a rollback.
INSERT INTO meta (key, value) VALUES ('places', lower(hex(randomblob(8))));

CREATE TRIGGER places_project_added AFTER INSERT ON projects BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_project_changed AFTER UPDATE OF key, access ON projects BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_project_gone AFTER DELETE ON projects BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_member_let_in AFTER INSERT ON project_members BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_member_let_out AFTER DELETE ON project_members BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
