import type { Fingerprints } from "@chest/core";
import { NEW_MEMORY_COLUMNS } from "@chest/store/memories/memory-writes";
import type { WriteParts } from "@chest/store/store";
import type { Transaction } from "../database/transaction.ts";
import { vectorParts } from "../embedding/vector-parts.ts";
import { PUT_TEXT, textValues } from "../search/text-rows.ts";
import { accessesOf } from "./access-stats.ts";
import { noteEvent } from "./entity-events.ts";
import { nearestTexts } from "./nearest-texts.ts";

// With its text row in one journey.
const INSERT = `WITH m AS (
  INSERT INTO memories (${NEW_MEMORY_COLUMNS.join(", ")})
  VALUES (${NEW_MEMORY_COLUMNS.map(() => "?").join(", ")}) RETURNING id),
  ${PUT_TEXT}
  SELECT id FROM m`;

/**
 * This engine's own part in what a transaction writes.
 * @param fingerprints that this process has read
 */
export function writePartsOf(tx: Transaction, fingerprints: Fingerprints): WriteParts {
  const { connection } = tx;
  return {
    async insert(cells, scope, text) {
      const row = await connection.get<{ id: number }>(INSERT, ...cells, ...textValues(scope, text));
      if (!row) throw new Error("an insert returned no id");
      return row.id;
    },
    noteEvent: (...event) => noteEvent(tx, ...event),
    nearest: (memory, limit) => nearestTexts(connection, fingerprints, memory, tx.nowS, limit),
    vectors: () => vectorParts(tx),
    readAccesses: accessesOf,
  };
}
