-- Which files were changed is asked by a part of their path: the index holds all that the search for one reads.
CREATE INDEX session_file_edits_path ON session_file_edits (path_key, operation, space);
