import type { Statements } from "../database/connection.ts";

interface Moving {
  readonly id: number;
  /** Space it moves to. */
  readonly space: string;
  readonly kind: string;
  readonly normalised_name: string;
  readonly canonical_key: string | null;
}

/**
 * Takes entities into other spaces: one that is known there, by its key or by kind and name, becomes one with it.
 * @param from the spaces they lie in, as a condition in SQL
 * @param target where each comes to lie, as an expression in SQL
 */
export function moveEntities(connection: Statements, from: string, target: string): void {
  const sql = `SELECT id, ${target} AS space, kind, normalised_name, canonical_key FROM entities WHERE ${from}`;
  for (const moving of connection.all<Moving>(sql)) {
    const known = knownIn(connection, moving);
    if (known === undefined) {
      connection.run("UPDATE entities SET space = ? WHERE id = ?", moving.space, moving.id);
      takeAliases(connection, moving, moving.id);
    } else mergeInto(connection, moving, known);
  }
}

function knownIn(connection: Statements, { space, kind, normalised_name, canonical_key }: Moving): number | undefined {
  const byKey = "SELECT id FROM entities WHERE space = ? AND canonical_key = ?";
  const byName = "SELECT id FROM entities WHERE space = ? AND kind = ? AND normalised_name = ?";
  const keyed = canonical_key === null ? undefined : connection.ids(byKey, space, canonical_key)[0];
  return keyed ?? connection.ids(byName, space, kind, normalised_name)[0];
}

function mergeInto(connection: Statements, moving: Moving, known: number): void {
  for (const table of ["memories", "events", "consolidations"])
    connection.run(`UPDATE ${table} SET entity_id = ? WHERE entity_id = ?`, known, moving.id);
  takeAliases(connection, moving, known);
  connection.run("DELETE FROM entities WHERE id = ?", moving.id);
  // Maintenance computes its momentum anew.
  connection.run(
    `UPDATE entities SET canonical_key = coalesce(canonical_key, ?), momentum_at = NULL,
       events_total = (SELECT count(*) FROM events WHERE entity_id = entities.id),
       first_event_at = (SELECT min(occurred_at) FROM events WHERE entity_id = entities.id)
     WHERE id = ?`,
    moving.canonical_key,
    known,
  );
}

function takeAliases(connection: Statements, { id, space }: Moving, to: number): void {
  connection.run("UPDATE OR IGNORE entity_aliases SET space = ?, entity_id = ? WHERE entity_id = ?", space, to, id);
  if (to !== id) connection.run("DELETE FROM entity_aliases WHERE entity_id = ?", id);
}
