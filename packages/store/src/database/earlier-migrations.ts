import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CannotOpen } from "@chest/core/ports";
import { type Applied, type Migration, migrationOf } from "./migrations.ts";

/** First migration of this release, which makes all that the earlier ones made. */
const INIT = "1000_init";

/** The migrations before `1000_init`, in order. @param folder of the migrations, which has them in one file */
export const earlierIn = (folder: string): Migration[] => sectionsOf(folder).filter(({ name }) => name !== INIT);

/** The last section is not a migration: it ends the way from an earlier release. */
function sectionsOf(folder: string): Migration[] {
  const [, ...parts] = readFileSync(join(folder, "earlier.sql"), "utf8").split(/^-- migration (\w+)\n/m);
  return parts.flatMap((name, at) => (at % 2 === 0 ? [migrationOf(name, parts[at + 1] ?? "")] : []));
}

/**
 * Lets a store of an earlier release have what it lacks of the earlier migrations in place of `1000_init`, in one step.
 * @param due migrations to apply @param applied the store's ledger
 */
export function fromEarlier(
  due: readonly Migration[],
  applied: readonly Applied[],
  folder: () => string,
): readonly Migration[] {
  const [init, ...later] = due;
  if (init?.name !== INIT || applied.length === 0) return due;
  const sections = sectionsOf(folder());
  for (const { name, sha256 } of applied)
    if (!sections.some((section) => section.name === name && section.sha256 === sha256)) throw notOfRelease(name);
  const lacking = sections.filter(({ name }) => !applied.some((row) => row.name === name));
  return [{ ...init, sql: lacking.map(({ sql }) => sql).join("") }, ...later];
}

/** Refuses a ledger that has a migration otherwise than this release. */
export const notOfRelease = (name: string): CannotOpen =>
  new CannotOpen(
    `migration ${name} of the store is not the one of this release`,
    "open it with the release that made it, or restore a backup",
  );
