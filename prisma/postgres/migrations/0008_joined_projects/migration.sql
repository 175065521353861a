-- Projects that a row lay in before they were joined to another, the first one first: a split puts it back.
ALTER TABLE memories ADD COLUMN joined_from text;
ALTER TABLE sessions ADD COLUMN joined_from text;
ALTER TABLE session_snapshots ADD COLUMN joined_from text;
ALTER TABLE work_items ADD COLUMN joined_from text;
ALTER TABLE gaps ADD COLUMN joined_from text;
ALTER TABLE session_file_edits ADD COLUMN joined_from text;
ALTER TABLE tombstones ADD COLUMN joined_from text;
ALTER TABLE project_aliases ADD COLUMN joined_from text;
ALTER TABLE injections ADD COLUMN joined_from text;
