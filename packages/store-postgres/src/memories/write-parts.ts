import type { Fingerprints } from "@chest/core/statements";
import { NEW_MEMORY_COLUMNS } from "@chest/store/memories/memory-writes";
import type { WriteParts } from "@chest/store/store";
import { vectorParts } from "../embedding/vector-parts.ts";
import { PUT_TEXT, textValues } from "../search/text-rows.ts";
import type { Transaction } from "../writing/transaction.ts";
import { accessesOf } from "./access-stats.ts";
import { noteEvent } from "./entity-events.ts";
import { type NearestTexts, nearestTexts } from "./nearest-texts.ts";
import { NEXT_ID } from "./next-id.ts";

// Inserts a memory with its text row in one round trip.
const insertOf = (columns: readonly string[]) => `WITH m AS (
  INSERT INTO memories (${columns.join(", ")})
  VALUES (${columns.map(() => "?").join(", ")}) RETURNING id),
  ${PUT_TEXT}
  SELECT id FROM m`;
const INSERT = insertOf(NEW_MEMORY_COLUMNS);
const INSERT_AS = insertOf(["id", ...NEW_MEMORY_COLUMNS]);

/**
 * Engine-specific parts of a transaction's writes.
 * @param fingerprints cache of this process
 * @param foresee sends queries that the work will need in advance
 */
export function writePartsOf(
  tx: Transaction,
  fingerprints: Fingerprints,
  foresee?: (nearest: NearestTexts) => void,
): WriteParts {
  const { connection } = tx;
  const nearest = nearestTexts(tx, fingerprints);
  return {
    async insert(cells, scope, text) {
      const values = [...cells, ...textValues(scope, text)];
      const next = await connection.taken<{ id: number }>(NEXT_ID);
      if (next !== undefined) {
        connection.later(INSERT_AS, next.id, ...values);
        return next.id;
      }
      const row = await connection.get<{ id: number }>(INSERT, ...values);
      if (!row) throw new Error("an insert returned no id");
      return row.id;
    },
    noteEvent: (...event) => noteEvent(tx, ...event),
    nearest: nearest.find,
    vectors: () => vectorParts(tx),
    readAccesses: accessesOf,
    foresee: foresee && (() => foresee(nearest)),
  };
}
