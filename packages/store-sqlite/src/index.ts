export * from "./backups/index.ts";
export { CannotOpen } from "./errors.ts";
export type { StoreHost } from "./host.ts";
export type { Load } from "./load.ts";
export { type Look, lookAtStore } from "./look.ts";
export { openSqliteEngine, type SqliteEngine, type SqliteOptions, type StoreLog } from "./open.ts";
export { type Place, type PlacedFile, placeOf } from "./place.ts";
export type { Census } from "./search/census.ts";
