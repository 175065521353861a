-- A key that leads to a project is part of what every process knows of places.
CREATE TRIGGER places_alias_added AFTER INSERT ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_alias_moved AFTER UPDATE ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
CREATE TRIGGER places_alias_gone AFTER DELETE ON project_aliases BEGIN
  UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'places';
END;
