export { readChest15 } from "./archive/chest15.ts";
export { type ExportOptions, openExport } from "./archive/export.ts";
export { type ImportOptions, importRecords } from "./archive/import.ts";
export * from "./backups/index.ts";
export { CannotOpen } from "./errors.ts";
export { openSqliteEngine, type SqliteEngine, type SqliteOptions, type StoreLog } from "./open.ts";
