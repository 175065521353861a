export { openPostgresEngine, type PostgresOptions } from "./open.ts";
