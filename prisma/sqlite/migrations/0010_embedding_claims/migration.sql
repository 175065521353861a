-- Who is embedding which memory right now, so that nobody does it a second time. A claim that has run out is none.
CREATE TABLE embedding_claims (
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  identity_id INTEGER NOT NULL REFERENCES embedding_identities (id),
  claimant TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (memory_id, identity_id)
) WITHOUT ROWID;
CREATE INDEX embedding_claims_until ON embedding_claims (until);
