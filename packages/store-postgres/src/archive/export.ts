import { type ExportOptions as AnyExport, type Export, exportOf } from "@chest/store/archive/export";
import { assertCurrent, assertServer, assertWhole, type DatabaseOptions, withConnections } from "../open.ts";

export interface ExportOptions extends AnyExport, DatabaseOptions {}

// The reader of the pipe may be slow.
const STATEMENT_TIMEOUT_MS = 600_000;

/** Reads a whole store, from one snapshot of the database. */
export function exportRecords<T>(options: ExportOptions, work: (opened: Export) => Promise<T>): Promise<T> {
  return withConnections({ ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (reader) => {
    await assertServer(reader);
    await assertCurrent(reader);
    await assertWhole(reader);
    return reader.transaction(async (tx) => {
      tx.later("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      tx.later("SET LOCAL idle_in_transaction_session_timeout = 0");
      return work(await exportOf(tx, options));
    });
  });
}
