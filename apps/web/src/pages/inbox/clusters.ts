interface PairOf<Row> {
  readonly newer: Row;
  readonly older: Row;
  readonly likeness: number;
  readonly by: string;
}

/** Memories that say much the same, the newest first. */
export interface Cluster<Row, Pair = PairOf<Row>> {
  readonly rows: readonly Row[];
  /** Pairs of these memories. */
  readonly pairs: readonly Pair[];
  /** Lowest likeness among these pairs. */
  readonly likeness: number;
  readonly by: string;
}

/** Gathers pairs into the groups that they join, in the order of their first pair. */
export function clustersOf<Row extends { readonly id: number }, Pair extends PairOf<Row>>(
  pairs: readonly (Pair & PairOf<Row>)[],
): Cluster<Row, Pair>[] {
  const groups = new Set<{ rows: Map<number, Row>; pairs: Pair[]; likeness: number; by: string }>();
  for (const pair of pairs) {
    const { newer, older, likeness, by } = pair;
    const met = [...groups].filter(({ rows }) => rows.has(newer.id) || rows.has(older.id));
    const [first = { rows: new Map<number, Row>(), pairs: [] as Pair[], likeness: 1, by }, ...others] = met;
    groups.add(first);
    for (const row of [newer, older]) first.rows.set(row.id, row);
    first.pairs.push(pair);
    first.likeness = Math.min(first.likeness, likeness);
    for (const other of others) {
      for (const [id, row] of other.rows) first.rows.set(id, row);
      first.pairs.push(...other.pairs);
      first.likeness = Math.min(first.likeness, other.likeness);
      groups.delete(other);
    }
  }
  return [...groups].map(({ rows, pairs: joining, likeness, by }) => ({
    pairs: joining,
    rows: [...rows.values()].sort((a, b) => b.id - a.id),
    likeness,
    by,
  }));
}
