import type { StoreRows } from "@chest/core";
import { migrate } from "../database/migrations.ts";
import { readDatabaseUrl } from "../database/url.ts";
import { assertServer, type DatabaseOptions, withConnections } from "../open.ts";
import { copyRows, endMove } from "./copy.ts";
import { assertSameRows } from "./verify.ts";

const STATEMENT_TIMEOUT_MS = 600_000;

export interface Move extends DatabaseOptions {
  readonly source: StoreRows;
  /** Called with every table that is through. */
  readonly told: (table: string, rows: number) => void;
}

export interface Moved {
  /** Rows by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Address of the database, without a password. */
  readonly where: string;
}

/** Moves every row of a store into an empty database, and compares both; cut off, a second call goes on. */
export function moveInto({ source, told, ...options }: Move): Promise<Moved> {
  return withConnections({ ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (connections) => {
    await assertServer(connections);
    await migrate(connections);
    const { rows, makeIndex } = await copyRows(connections, source, told);
    // The database sorts the words while this process compares.
    await Promise.all([makeIndex(), assertSameRows(connections, source)]);
    // Until rows are known to be seen by all, an index alone answers nothing: each is looked up in its table.
    await connections.script("VACUUM (ANALYZE)");
    await endMove(connections, source);
    return { rows, where: readDatabaseUrl(options.url).shownUrl };
  });
}
