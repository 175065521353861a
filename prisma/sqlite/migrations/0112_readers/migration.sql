-- The member that opened a memory: its author and admins may know. Of what was opened before this, nobody knows.
ALTER TABLE memory_access_log ADD COLUMN member_id INTEGER;
