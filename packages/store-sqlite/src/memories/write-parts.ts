import { NEW_MEMORY_COLUMNS } from "@chest/store/memories/memory-writes";
import type { WriteParts } from "@chest/store/store";
import { boundAll } from "../database/async-connection.ts";
import type { Connection } from "../database/connection.ts";
import { vectorParts } from "../embedding/vector-parts.ts";
import { putTextRow } from "../full-text/text-rows.ts";
import type { Transaction } from "../writing/transaction.ts";
import { accessesOf } from "./access-stats.ts";
import { noteEvent } from "./entity-events.ts";
import { fingerprintsBeside, nearestTexts } from "./nearest-texts.ts";

const INSERT = `INSERT INTO memories (${NEW_MEMORY_COLUMNS.join(", ")})
  VALUES (${NEW_MEMORY_COLUMNS.map(() => "?").join(", ")}) RETURNING id`;

/**
 * Engine-specific parts of a transaction's writes.
 * @param writing connection of the transaction, which owns the fingerprint cache
 */
export function writePartsOf(tx: Transaction, writing: Connection): WriteParts {
  return {
    async insert(cells, scope, text) {
      const row = tx.sync.get<{ id: number }>(INSERT, ...boundAll(cells));
      if (!row) throw new Error("an insert returned no id");
      putTextRow(tx.sync, tx.index, row.id, undefined, { scope, ...text });
      return row.id;
    },
    noteEvent: (...event) => noteEvent(tx, ...event),
    nearest: async (memory, limit) => nearestTexts(tx.sync, fingerprintsBeside(writing), memory, tx.nowS, limit),
    vectors: () => vectorParts(tx),
    readAccesses: async (_, ...asked) => accessesOf(tx.sync, ...asked),
  };
}
