-- A sign-in of the page, and the one-time link that leads to one, are tokens of other kinds: one predicate decides what
-- they open, and one revocation ends them with the token that they came from.
ALTER TABLE tokens ADD COLUMN kind TEXT NOT NULL DEFAULT 'token' CHECK (kind IN ('token', 'link', 'session'));
