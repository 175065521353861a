const ARCHIVED = "SELECT count(*) FROM memories WHERE archived_at IS NOT NULL";
const SUPERSEDED = "SELECT count(*) FROM memories WHERE superseded_by_id IS NOT NULL";

/** Row counts; each uses a covering index. */
const COUNTS = {
  live: "SELECT count(*) FROM memories WHERE archived_at IS NULL",
  // Superseded memories are archived too.
  archived: `SELECT (${ARCHIVED}) - (${SUPERSEDED})`,
  superseded: SUPERSEDED,
  pending: "SELECT count(*) FROM memories WHERE archived_at IS NULL AND embedding_status = 'pending'",
  textRows: "SELECT count(*) FROM memory_text",
  entities: "SELECT count(*) FROM entities",
  vectors: "SELECT count(*) FROM vectors",
};

type Counted = keyof typeof COUNTS;
export type RowCounts<K extends Counted = Counted> = Readonly<Record<K, number>>;

/** SELECT of one row with counts by name. */
export const countsOf = (names: readonly Counted[]): string =>
  `SELECT ${names.map((name) => `(${COUNTS[name]}) AS "${name}"`).join(", ")}`;

/** Counts in an operator's summary. */
export const SUMMARY = ["live", "archived", "superseded", "pending", "textRows"] as const satisfies readonly Counted[];
/** Counts that are exported as metrics. */
export const MEASURED = [
  "live",
  "archived",
  "superseded",
  "pending",
  "entities",
  "vectors",
] as const satisfies readonly Counted[];
