-- Short codes of vectors by space: a search compares all codes of its spaces, and then the vectors of the nearest alone.
-- Only memories that are not archived have one. The triggers keep them, so that a backend of an older release does, too.

-- Two vectors of length 1 are about as far apart as the bits of their codes differ: three bits a number tell which quarter
-- of a normal distribution it lies in.
CREATE FUNCTION coarse_code(vector halfvec) RETURNS varbit LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (binary_quantize(v.given - v.quartile) || binary_quantize(v.given) || binary_quantize(v.given + v.quartile))::varbit
  FROM (SELECT vector::vector AS given,
    array_fill((0.67 / sqrt(vector_dims(vector)))::real, ARRAY[vector_dims(vector)])::vector AS quartile OFFSET 0) v
$$;

CREATE TABLE coarse_vectors (
  memory_id bigint NOT NULL,
  identity_id bigint NOT NULL,
  space text COLLATE "C" NOT NULL,
  code varbit NOT NULL,
  PRIMARY KEY (memory_id, identity_id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);

CREATE FUNCTION vector_coarsened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM coarse_vectors WHERE memory_id = OLD.memory_id AND identity_id = OLD.identity_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    -- The lock waits for a transaction that is moving or archiving the memory.
    INSERT INTO coarse_vectors (memory_id, identity_id, space, code)
      SELECT m.id, NEW.identity_id, m.space, coarse_code(NEW.vector) FROM memories m
      WHERE m.id = NEW.memory_id AND m.archived_at IS NULL FOR NO KEY UPDATE;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER vectors_coarsened AFTER INSERT OR DELETE OR UPDATE OF memory_id, identity_id, vector ON vectors
  FOR EACH ROW EXECUTE FUNCTION vector_coarsened();

CREATE FUNCTION memory_coarsened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM coarse_vectors WHERE memory_id = NEW.id;
  IF NEW.archived_at IS NULL THEN
    INSERT INTO coarse_vectors (memory_id, identity_id, space, code)
      SELECT memory_id, identity_id, NEW.space, coarse_code(vector) FROM vectors WHERE memory_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER memories_coarsened AFTER UPDATE OF space, archived_at ON memories FOR EACH ROW
  WHEN (OLD.space <> NEW.space OR (OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL))
  EXECUTE FUNCTION memory_coarsened();

INSERT INTO coarse_vectors (memory_id, identity_id, space, code)
  SELECT v.memory_id, v.identity_id, m.space, coarse_code(v.vector)
  FROM vectors v JOIN memories m ON m.id = v.memory_id WHERE m.archived_at IS NULL;

-- It holds the codes themselves, so that a search reads nothing else.
CREATE INDEX coarse_vectors_space ON coarse_vectors (space, identity_id) INCLUDE (memory_id, code);
