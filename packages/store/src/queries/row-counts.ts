const ARCHIVED = "SELECT count(*) FROM memories WHERE archived_at IS NOT NULL";
const SUPERSEDED = "SELECT count(*) FROM memories WHERE superseded_by_id IS NOT NULL";

/** Counts of rows; each reads an index of its own. */
const COUNTS = {
  live: "SELECT count(*) FROM memories WHERE archived_at IS NULL",
  // A memory that was superseded is archived, too.
  archived: `SELECT (${ARCHIVED}) - (${SUPERSEDED})`,
  superseded: SUPERSEDED,
  pending: "SELECT count(*) FROM memories WHERE archived_at IS NULL AND embedding_status = 'pending'",
  textRows: "SELECT count(*) FROM memory_text",
  entities: "SELECT count(*) FROM entities",
  vectors: "SELECT count(*) FROM vectors",
};

type Counted = keyof typeof COUNTS;
export type RowCounts<K extends Counted = Counted> = Readonly<Record<K, number>>;

/** SELECT of one row that holds counts by their names. */
export const countsOf = (names: readonly Counted[]): string =>
  `SELECT ${names.map((name) => `(${COUNTS[name]}) AS "${name}"`).join(", ")}`;

/** Counts that sum a store up for an operator. */
export const SUMMARY = ["live", "archived", "superseded", "pending", "textRows"] as const satisfies readonly Counted[];
/** Counts that are measured over time. */
export const MEASURED = [
  "live",
  "archived",
  "superseded",
  "pending",
  "entities",
  "vectors",
] as const satisfies readonly Counted[];
