export { type ExportOptions, exportRecords } from "./archive/export.ts";
export { type ImportOptions, importRecords } from "./archive/import.ts";
export { moveInto } from "./migrate/index.ts";
export { openPostgresEngine, type PostgresOptions } from "./open.ts";
export { RANKED_ROWS } from "./search/match-words.ts";
