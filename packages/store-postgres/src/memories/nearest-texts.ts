import type { Memory } from "@chest/core/memory";
import { type FingerprintRow, type Fingerprints, MOST_FINGERPRINTS } from "@chest/core/statements";
import { isOfJournal } from "@chest/store/database/condition";
import type { Transaction } from "../writing/transaction.ts";
import { NEXT_ID } from "./next-id.ts";

// Ids are assigned before the commit, so a row with a lower id may become visible later.
const LATE_IDS = 100;
// By entity: the index of a space has the requested order, but would be scanned completely.
const NEWEST = `SELECT id, content, created_at FROM memories m
  WHERE entity_id = ? AND space || '' = ? AND archived_at IS NULL AND id > ? AND NOT ${isOfJournal("m")}
  ORDER BY created_at DESC, id DESC LIMIT ${MOST_FINGERPRINTS}`;

type Placed = { readonly entity: Pick<Memory["entity"], "id">; readonly space: Memory["space"] };

/** Finds memories of one entity and space with similar words. */
export interface NearestTexts {
  /** Sends the query of `find` in advance. */
  ahead(place: Placed): void;
  /** Ids, including that of the memory itself. */
  find(memory: Pick<Memory, "id" | "content"> & Placed, limit: number): Promise<readonly number[]>;
}

export function nearestTexts({ connection, nowS }: Transaction, known: Fingerprints): NearestTexts {
  /** Ids from which rows were requested in advance, by place. */
  const asked = new Map<string, number>();
  const firstOf = (place: Placed) => known.readUpTo(place, nowS).lastId - LATE_IDS;
  return {
    ahead(place) {
      const from = firstOf(place);
      asked.set(keyOf(place), from);
      connection.ahead(NEWEST, place.entity.id, place.space, from);
    },
    async find(memory, limit) {
      const from = firstOf(memory);
      // Another call may have read more rows, or evicted them.
      const before = asked.get(keyOf(memory)) ?? from;
      const rows = await connection.all<FingerprintRow>(NEWEST, memory.entity.id, memory.space, Math.min(before, from));
      const found = known.nearest(memory, rows.reverse(), nowS, limit);
      // Sent with the read of the found rows, so it costs no round trip.
      if (memory.id === 0 && found.length > 0) connection.ahead(NEXT_ID);
      return found;
    },
  };
}

const keyOf = ({ entity, space }: Placed): string => `${entity.id} ${space}`;
