import { existsSync } from "node:fs";
import { CannotOpen } from "@chest/core/ports";
import { type ExportOptions as AnyExport, type Export, exportOf } from "@chest/store/archive/export";
import { readingOf } from "../database/async-connection.ts";
import { Connection } from "../database/connection.ts";
import { due, readMigrations } from "../database/migrations.ts";
import { assertNotLost } from "../store-file/missing-store-guard.ts";

export interface ExportOptions extends AnyExport {
  readonly path: string;
}

/** Reads a whole store, from one snapshot of its file. */
export async function exportRecords<T>(options: ExportOptions, work: (opened: Export) => Promise<T>): Promise<T> {
  const { path } = options;
  assertNotLost(path);
  if (!existsSync(path)) {
    throw new CannotOpen(`there is no store at ${path}`, "name another one with CHEST_DB_PATH or CHEST_DATA_DIR");
  }
  const connection = new Connection(path, { readonly: true });
  try {
    if (due(connection.db, readMigrations(), path).length > 0) {
      throw new CannotOpen(`${path} is of an older release`, "open it once with this one: `chest-index status`");
    }
    connection.db.exec("BEGIN");
    return await work(await exportOf(readingOf(connection), options));
  } finally {
    connection.close();
  }
}
