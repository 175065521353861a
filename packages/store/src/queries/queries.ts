import type { Reading } from "../database/connection.ts";
import * as audit from "./audit.ts";
import * as files from "./file-history.ts";
import { news } from "./home.ts";
import * as entities from "./list-entities.ts";
import * as memories from "./list-memories.ts";
import * as sessions from "./list-sessions.ts";
import * as sums from "./list-sums.ts";
import * as events from "./session-events.ts";
import * as times from "./timeline.ts";

/** Reads over many rows, by the names of their functions; an engine runs them off the main thread. */
export const QUERIES = {
  news,
  ...audit,
  ...files,
  ...entities,
  ...memories,
  ...sessions,
  ...sums,
  ...events,
  ...times,
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
