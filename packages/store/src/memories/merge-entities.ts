import type { Statements } from "../database/connection.ts";

interface Moving {
  readonly id: number;
  /** Target space. */
  readonly space: string;
  readonly kind: string;
  readonly normalised_name: string;
  readonly canonical_key: string | null;
}

/**
 * Moves entities to other spaces: an entity with the same key, or kind and name, is merged with it.
 * @param from SQL condition for the source spaces
 * @param target SQL expression for the target space
 */
export async function moveEntities(connection: Statements, from: string, target: string): Promise<void> {
  const sql = `SELECT id, ${target} AS space, kind, normalised_name, canonical_key FROM entities WHERE ${from}
    ORDER BY id ${connection.dialect.forUpdate}`;
  for (const moving of await connection.all<Moving>(sql)) {
    const known = await knownIn(connection, moving);
    if (known === undefined) {
      connection.later("UPDATE entities SET space = ? WHERE id = ?", moving.space, moving.id);
      takeAliases(connection, moving, moving.id);
    } else mergeInto(connection, moving, known);
  }
}

async function knownIn(
  connection: Statements,
  { space, kind, normalised_name, canonical_key }: Moving,
): Promise<number | undefined> {
  const byKey = "SELECT id FROM entities WHERE space = ? AND canonical_key = ?";
  const byName = "SELECT id FROM entities WHERE space = ? AND kind = ? AND normalised_name = ?";
  const [keyed] = canonical_key === null ? [] : await connection.ids(byKey, space, canonical_key);
  return keyed ?? (await connection.ids(byName, space, kind, normalised_name))[0];
}

function mergeInto(connection: Statements, moving: Moving, known: number): void {
  for (const table of ["memories", "events", "consolidations"])
    connection.later(`UPDATE ${table} SET entity_id = ? WHERE entity_id = ?`, known, moving.id);
  takeAliases(connection, moving, known);
  connection.later("DELETE FROM entities WHERE id = ?", moving.id);
  // Maintenance recomputes the momentum.
  connection.later(
    `UPDATE entities AS e SET canonical_key = coalesce(canonical_key, ?), momentum_at = NULL,
       events_total = (SELECT count(*) FROM events WHERE entity_id = e.id),
       first_event_at = (SELECT min(occurred_at) FROM events WHERE entity_id = e.id)
     WHERE id = ?`,
    moving.canonical_key,
    known,
  );
}

function takeAliases(connection: Statements, { id, space }: Moving, to: number): void {
  connection.later(
    `UPDATE entity_aliases AS a SET space = ?, entity_id = ? WHERE entity_id = ? AND NOT EXISTS (
       SELECT 1 FROM entity_aliases o WHERE o.space = ? AND o.kind = a.kind AND o.normalised_name = a.normalised_name
         AND o.entity_id <> a.entity_id)`,
    space,
    to,
    id,
    space,
  );
  if (to !== id) connection.later("DELETE FROM entity_aliases WHERE entity_id = ?", id);
}
