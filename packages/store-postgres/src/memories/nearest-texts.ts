import { type FingerprintRow, type Fingerprints, type Memory, MOST_FINGERPRINTS } from "@chest/core";
import { isOfJournal } from "@chest/store/database/condition";
import type { Reading } from "../database/connection.ts";

// Ids are given before the commit: a row of a lower one may come to be seen after a row of a higher one.
const LATE_IDS = 100;
// By the entity: the index of a space has the order that is asked for, and would be walked whole.
const NEWEST = `SELECT id, content, created_at FROM memories m
  WHERE entity_id = ? AND space || '' = ? AND archived_at IS NULL AND id > ? AND NOT ${isOfJournal("m")}
  ORDER BY created_at DESC, id DESC LIMIT ${MOST_FINGERPRINTS}`;

/** Ids of the memories of one entity and space whose words are most alike, the memory itself among them. */
export async function nearestTexts(
  connection: Reading,
  known: Fingerprints,
  memory: Pick<Memory, "id" | "content" | "entity" | "space">,
  nowS: number,
  limit: number,
): Promise<readonly number[]> {
  const { lastId } = known.readUpTo(memory, nowS);
  const rows = await connection.all<FingerprintRow>(NEWEST, memory.entity.id, memory.space, lastId - LATE_IDS);
  return known.nearest(memory, rows.reverse(), nowS, limit);
}
