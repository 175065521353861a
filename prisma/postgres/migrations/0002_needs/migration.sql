-- The migration that a backend has to know to work with these tables. One that older backends can live with leaves it as
-- it is; one that takes away or changes something that they use names itself here, and comes a release later.
INSERT INTO meta (key, value) VALUES ('needs', '0001_init');
