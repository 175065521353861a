export { moveInto } from "./migrate/index.ts";
export { openPostgresEngine, type PostgresOptions } from "./open.ts";
