export { CannotOpen } from "./errors.ts";
export { openSqliteEngine, type SqliteOptions, type StoreLog } from "./open.ts";
