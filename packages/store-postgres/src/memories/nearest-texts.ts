import { type FingerprintRow, type Fingerprints, type Memory, MOST_FINGERPRINTS } from "@chest/core";
import { isOfJournal } from "@chest/store/database/condition";
import type { Transaction } from "../database/transaction.ts";
import { NEXT_ID } from "./next-id.ts";

// Ids are given before the commit: a row of a lower one may come to be seen after a row of a higher one.
const LATE_IDS = 100;
// By the entity: the index of a space has the order that is asked for, and would be walked whole.
const NEWEST = `SELECT id, content, created_at FROM memories m
  WHERE entity_id = ? AND space || '' = ? AND archived_at IS NULL AND id > ? AND NOT ${isOfJournal("m")}
  ORDER BY created_at DESC, id DESC LIMIT ${MOST_FINGERPRINTS}`;

type Placed = { readonly entity: Pick<Memory["entity"], "id">; readonly space: Memory["space"] };

/** Memories of one entity and space whose words are most alike. */
export interface NearestTexts {
  /** Sends ahead what `find` asks for. */
  ahead(place: Placed): void;
  /** Ids of them, the memory itself among them. */
  find(memory: Pick<Memory, "id" | "content"> & Placed, limit: number): Promise<readonly number[]>;
}

export function nearestTexts({ connection, nowS }: Transaction, known: Fingerprints): NearestTexts {
  /** Ids from which on rows were asked for ahead, by place. */
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
      // Others may have read more rows meanwhile, or forgotten those that were read.
      const before = asked.get(keyOf(memory)) ?? from;
      const rows = await connection.all<FingerprintRow>(NEWEST, memory.entity.id, memory.space, Math.min(before, from));
      const found = known.nearest(memory, rows.reverse(), nowS, limit);
      // Read beside it are the rows that were found: it costs no trip.
      if (memory.id === 0 && found.length > 0) connection.ahead(NEXT_ID);
      return found;
    },
  };
}

const keyOf = ({ entity, space }: Placed): string => `${entity.id} ${space}`;
