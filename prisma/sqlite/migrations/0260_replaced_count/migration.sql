-- The length of `replaced_ids`, which nothing read.
ALTER TABLE consolidations DROP COLUMN replaced_count;
