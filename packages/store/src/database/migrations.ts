import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CannotOpen } from "@chest/core/ports";

/** A migration as a ledger records it. */
export interface Applied {
  readonly name: string;
  readonly sha256: string;
}

/** A change of the schema, as this release has it. */
export interface Migration extends Applied {
  readonly sql: string;
}

/** Folder of an engine's migrations: beside the sources, or beside the bundle that was made of them. @param from a module's URL */
export function folderAmong(places: readonly string[], from: string): string {
  const found = places.map((place) => fileURLToPath(new URL(place, from))).find((path) => existsSync(path));
  if (!found) throw new CannotOpen("this installation lacks its migrations", "install this release again");
  return found;
}

/** The migrations of a folder, in order. */
export function migrationsIn(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_/.test(name))
    .sort()
    .map((name) => migrationOf(name, readFileSync(join(folder, name, "migration.sql"), "utf8")));
}

export const migrationOf = (name: string, sql: string): Migration => ({
  name,
  sql,
  sha256: createHash("sha256").update(sql).digest("hex"),
});
