import type { ImportReport } from "@chest/core/archive";
import { CannotOpen, systemClock } from "@chest/core/ports";
import type { AdoptParts } from "@chest/store/archive/adopt";
import { type ImportOptions as AnyImport, Importer, type ImportParts } from "@chest/store/archive/importer";
import { KnownPlaces } from "@chest/store/database/places";
import { readingOf } from "../database/async-connection.ts";
import type { Connection } from "../database/connection.ts";
import { damaged, sqliteCode } from "../database/sqlite-errors.ts";
import { Writer } from "../database/write-queue.ts";
import { vectorParts } from "../embedding/vector-parts.ts";
import { checkInProcess } from "../integrity/integrity-check.ts";
import { openForWriting, type SqliteOptions } from "../open.ts";
import { keepInPlace } from "../store-file/file-replaced-guard.ts";
import type { Transaction } from "../writing/transaction.ts";
import { transactionsOf } from "../writing/transactions.ts";
import { previewImport } from "./preview.ts";

/** A preview creates no store. */
export interface ImportOptions extends AnyImport, SqliteOptions {}

/** Imports records into a store file, each once: a record whose uid exists is skipped. */
export async function importRecords(options: ImportOptions): Promise<ImportReport> {
  if (options.isDry) return previewImport(options.path, options.records);
  const { writing, lock, isUnseen, isTrusted } = await openForWriting(options);
  const writer = new Writer(writing);
  keepInPlace({ path: options.path, writing, writer, log: options.log });
  try {
    if (isUnseen && !isTrusted) await assertWhole(options.path);
    return await new Importer(importParts(writing, writer, options), options).run();
  } finally {
    await writer.close();
    writing.close();
    lock.release();
  }
}

async function assertWhole(path: string): Promise<void> {
  const verdict = await checkInProcess(path);
  if ("damage" in verdict) throw damaged();
  if ("trouble" in verdict) throw new CannotOpen(`${path} could not be checked: ${verdict.trouble}`, "try again");
}

function importParts(writing: Connection, writer: Writer, { clock = systemClock }: ImportOptions) {
  const reader = readingOf(writing);
  const columns = columnsOf(writing);
  return {
    reader,
    transactions: transactionsOf({ writing, written: new KnownPlaces(reader), writer, clock }),
    adopting: (tx) => adoptingIn(tx as Transaction, columns),
  } satisfies ImportParts;
}

const columnsOf = (connection: Connection): AdoptParts["columns"] =>
  new Map(
    connection
      .all<{ name: string; type: string }>("SELECT name, lower(type) AS type FROM pragma_table_info('memories')")
      .map(({ name, type }) => [name, type]),
  );

const adoptingIn = (tx: Transaction, columns: AdoptParts["columns"]): AdoptParts => ({
  columns,
  vectors: vectorParts(tx),
  // SQLite undoes a refused statement by itself.
  async tried(insert) {
    try {
      return await insert();
    } catch (error) {
      if (sqliteCode(error)?.startsWith("SQLITE_CONSTRAINT")) return undefined;
      throw error;
    }
  },
});
