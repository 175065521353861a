-- An entity belongs to the space that its memories lie in: a name, a kind, a key or a momentum that comes of memories
-- somebody may not open is not theirs to see. One with memories in several spaces becomes one for each of them. Which of
-- them its name came from was never written down, so each keeps it; the key and the number stay where it was made, and a
-- key that is stated again elsewhere is taken there anew.
CREATE TABLE parted AS
  WITH places AS (
    SELECT entity_id AS old_id, space, min(id) AS first_id, min(created_at) AS created_at FROM memories GROUP BY entity_id, space),
  ordered AS (
    SELECT *, row_number() OVER (PARTITION BY old_id ORDER BY first_id) AS place FROM places)
  SELECT old_id, space, created_at, place,
    iif(place = 1, old_id, (SELECT seq FROM sqlite_sequence WHERE name = 'entities')
      + row_number() OVER (PARTITION BY place = 1 ORDER BY first_id)) AS id
  FROM ordered;
CREATE UNIQUE INDEX parted_place ON parted (old_id, space);
CREATE INDEX parted_id ON parted (id);

CREATE TABLE entities_parted (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  space TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'company', 'project', 'concept', 'file', 'other')),
  name TEXT NOT NULL,
  normalised_name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  canonical_key TEXT,
  attributes TEXT,
  momentum_score REAL NOT NULL DEFAULT 0,
  momentum_at INTEGER,
  events_total INTEGER NOT NULL DEFAULT 0,
  first_event_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (space, kind, normalised_name),
  UNIQUE (space, canonical_key)
);

-- What nothing is remembered of lies in no space at all.
INSERT INTO entities_parted (id, uid, space, kind, name, normalised_name, folded_name, canonical_key, attributes,
    momentum_score, momentum_at, events_total, first_event_at, created_at, updated_at)
  SELECT e.id, e.uid, coalesce(p.space, ''), e.kind, e.name, e.normalised_name, e.folded_name, e.canonical_key,
    e.attributes, e.momentum_score, e.momentum_at, e.events_total, e.first_event_at, e.created_at, e.updated_at
  FROM entities e LEFT JOIN parted p ON p.id = e.id AND p.place = 1;

INSERT INTO entities_parted (id, uid, space, kind, name, normalised_name, folded_name, created_at, updated_at)
  SELECT p.id,
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
      || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
    p.space, e.kind, e.name, e.normalised_name, e.folded_name, p.created_at, p.created_at
  FROM parted p JOIN entities e ON e.id = p.old_id WHERE p.place > 1;

UPDATE memories SET entity_id = p.id FROM parted p
  WHERE p.place > 1 AND p.old_id = memories.entity_id AND p.space = memories.space;

UPDATE consolidations SET entity_id = m.entity_id FROM memories m
  WHERE m.id = consolidations.summary_id AND m.entity_id <> consolidations.entity_id;

UPDATE events SET entity_id = m.entity_id FROM memories m
  WHERE m.id = json_extract(events.payload, '$.memory_id') AND m.entity_id <> events.entity_id
    AND events.entity_id IN (SELECT old_id FROM parted WHERE place > 1);

-- Maintenance computes their momentum anew.
UPDATE entities_parted SET momentum_score = 0, momentum_at = NULL,
    events_total = (SELECT count(*) FROM events WHERE entity_id = entities_parted.id),
    first_event_at = (SELECT min(occurred_at) FROM events WHERE entity_id = entities_parted.id)
  WHERE id IN (SELECT id FROM parted WHERE old_id IN (SELECT old_id FROM parted WHERE place > 1));

CREATE TABLE entity_aliases_parted (
  space TEXT NOT NULL,
  kind TEXT NOT NULL,
  normalised_name TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities (id),
  PRIMARY KEY (space, kind, normalised_name)
) WITHOUT ROWID;

INSERT INTO entity_aliases_parted (space, kind, normalised_name, entity_id)
  SELECT e.space, a.kind, a.normalised_name, a.entity_id
  FROM entity_aliases a JOIN entities_parted e ON e.id = a.entity_id;

DROP TABLE entity_aliases;
DROP TABLE entities;
ALTER TABLE entities_parted RENAME TO entities;
ALTER TABLE entity_aliases_parted RENAME TO entity_aliases;
DROP TABLE parted;

-- A name is asked for in many spaces at once.
CREATE INDEX entities_name ON entities (normalised_name, kind);
CREATE INDEX entity_aliases_name ON entity_aliases (normalised_name, kind);
