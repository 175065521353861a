interface Pair<Row> {
  readonly newer: Row;
  readonly older: Row;
  readonly likeness: number;
  readonly by: string;
}

/** Memories that say much the same, the newest first. */
export interface Cluster<Row> {
  readonly rows: readonly Row[];
  /** Likeness of the two that are least alike among the pairs that join them. */
  readonly likeness: number;
  readonly by: string;
}

/** Gathers pairs into the groups that they join, in the order of their first pair. */
export function clustersOf<Row extends { readonly id: number }>(pairs: readonly Pair<Row>[]): Cluster<Row>[] {
  const groups = new Set<{ rows: Map<number, Row>; likeness: number; by: string }>();
  for (const { newer, older, likeness, by } of pairs) {
    const met = [...groups].filter(({ rows }) => rows.has(newer.id) || rows.has(older.id));
    const [first = { rows: new Map<number, Row>(), likeness: 1, by }, ...others] = met;
    groups.add(first);
    for (const row of [newer, older]) first.rows.set(row.id, row);
    first.likeness = Math.min(first.likeness, likeness);
    for (const other of others) {
      for (const [id, row] of other.rows) first.rows.set(id, row);
      first.likeness = Math.min(first.likeness, other.likeness);
      groups.delete(other);
    }
  }
  return [...groups].map(({ rows, likeness, by }) => ({
    rows: [...rows.values()].sort((a, b) => b.id - a.id),
    likeness,
    by,
  }));
}
