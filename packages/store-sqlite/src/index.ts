export * from "./backups/index.ts";
export { CannotOpen } from "./errors.ts";
export { openSqliteEngine, type SqliteEngine, type SqliteOptions, type StoreLog } from "./open.ts";
