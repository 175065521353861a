export { readChest15 } from "./archive/chest15.ts";
export { type ExportOptions, openExport } from "./archive/export.ts";
export { type ImportOptions, importRecords } from "./archive/import.ts";
export * from "./backups/index.ts";
export type { StoreLog } from "./database/store-log.ts";
export { type Look, lookAtStore } from "./integrity/inspect-file.ts";
export { type Rebuilt, rebuildText } from "./integrity/rebuild-fts.ts";
export { openSqliteEngine, type SqliteEngine, type SqliteOptions } from "./open.ts";
export { placeOf } from "./store-file/file-permissions.ts";
