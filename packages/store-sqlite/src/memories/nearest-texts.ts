import { type FingerprintRow, Fingerprints, type Memory, MOST_FINGERPRINTS } from "@chest/core";
import { isOfJournal } from "@chest/store/database/condition";
import type { Connection, Reading } from "../database/connection.ts";

// Looked up by the entity: the index of a space would walk through all that others wrote there. In the order of the index
// of an entity, which ends at the limit; rows of one second are put in the order of their ids here.
const NEWEST = `SELECT id, content, created_at FROM memories m
  WHERE entity_id = ? AND +space = ? AND archived_at IS NULL AND created_at >= ? AND id > ? AND NOT ${isOfJournal("m")}
  ORDER BY created_at DESC LIMIT ${MOST_FINGERPRINTS}`;

const kept = new WeakMap<Connection, Fingerprints>();

/** Fingerprints that this process has read over its writing connection. */
export function fingerprintsBeside(writing: Connection): Fingerprints {
  const known = kept.get(writing) ?? new Fingerprints();
  kept.set(writing, known);
  return known;
}

/** Ids of the memories of one entity and space whose words are most alike, the memory itself among them. */
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
