import type { Memory } from "@chest/core/memory";
import { type FingerprintRow, Fingerprints, MOST_FINGERPRINTS } from "@chest/core/statements";
import { isOfJournal } from "@chest/store/database/condition";
import type { Connection, Reading } from "../database/connection.ts";

// By entity: the index of a space would scan all other entities. In index order with a limit; rows of the same second
// are sorted by id afterwards.
const NEWEST = `SELECT id, content, created_at FROM memories m
  WHERE entity_id = ? AND +space = ? AND archived_at IS NULL AND created_at >= ? AND id > ? AND NOT ${isOfJournal("m")}
  ORDER BY created_at DESC LIMIT ${MOST_FINGERPRINTS}`;

const kept = new WeakMap<Connection, Fingerprints>();

/** Fingerprint cache of a writing connection. */
export function fingerprintsBeside(writing: Connection): Fingerprints {
  const known = kept.get(writing) ?? new Fingerprints();
  kept.set(writing, known);
  return known;
}

/** Ids of memories of one entity and space with similar words, including the memory itself. */
export function nearestTexts(
  connection: Reading,
  known: Fingerprints,
  memory: Pick<Memory, "id" | "content" | "entity" | "space">,
  nowS: number,
  limit: number,
): readonly number[] {
  const { newestS, lastId } = known.readUpTo(memory, nowS);
  const rows = connection.all<FingerprintRow>(NEWEST, memory.entity.id, memory.space, newestS, lastId);
  return known.nearest(memory, rows.sort(byAge), nowS, limit);
}

const byAge = (a: FingerprintRow, b: FingerprintRow): number => a.created_at - b.created_at || a.id - b.id;
