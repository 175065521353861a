import type { Reading } from "../database/connection.ts";
import { listAudit } from "./audit.ts";
import { fileHistory } from "./file-history.ts";
import { news } from "./home.ts";
import { listEntities } from "./list-entities.ts";
import { browse, overview } from "./list-memories.ts";
import { listSessions } from "./list-sessions.ts";
import { countTags, sumCategories, sumShares } from "./list-sums.ts";
import { sessionEvents } from "./session-events.ts";
import { activity, around, openings } from "./timeline.ts";

/** Reads over many rows, by name; an engine runs them off the main thread. */
export const QUERIES = {
  activity,
  around,
  audit: listAudit,
  browse,
  categories: sumCategories,
  entities: listEntities,
  fileHistory,
  news,
  openings,
  overview,
  sessionEvents,
  sessions: listSessions,
  statistics: sumShares,
  tags: countTags,
};

export type QueryName = keyof typeof QUERIES;

/** Arguments of a query after its connection. */
export type QueryArguments<K extends QueryName> = (typeof QUERIES)[K] extends (
  connection: Reading,
  ...more: infer A
) => unknown
  ? A
  : never;

export type QueryResult<K extends QueryName> = Awaited<ReturnType<(typeof QUERIES)[K]>>;

/** Runs a query by name, with the time limit of a search. */
export type AskQuery = <K extends QueryName>(name: K, ...values: QueryArguments<K>) => Promise<QueryResult<K>>;

/** Runs a query on a connection. */
export const runQuery = <K extends QueryName>(
  connection: Reading,
  name: K,
  values: QueryArguments<K>,
): Promise<QueryResult<K>> =>
  (QUERIES[name] as unknown as (connection: Reading, ...more: QueryArguments<K>) => Promise<QueryResult<K>>)(
    connection,
    ...values,
  );
