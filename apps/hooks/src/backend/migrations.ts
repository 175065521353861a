import { readMigrations } from "@chest/store-sqlite/migrations";

declare const CHEST_MIGRATIONS: ReturnType<typeof readMigrations> | undefined;

/** The migrations of this release: written into the bundle, which has no other files with it. */
export const migrations = () => (typeof CHEST_MIGRATIONS === "undefined" ? readMigrations() : CHEST_MIGRATIONS);
