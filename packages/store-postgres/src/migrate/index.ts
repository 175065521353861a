import { CannotOpen, type StoreRows } from "@chest/core";
import type { Connections } from "../database/connection.ts";
import { codeOf } from "../database/errors.ts";
import { migrate } from "../database/migrations.ts";
import { readDatabaseUrl } from "../database/url.ts";
import { assertServer, type DatabaseOptions, withConnections } from "../open.ts";
import { beginMove, copyRows, endMove, type Progress } from "./copy.ts";
import { assertSameRows, MOVE_AGAIN } from "./verify.ts";

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
    const { progress, isGoingOn } = await beginMove(connections, source);
    const rows = await copyAndCompare(connections, source, progress, told).catch((error: unknown) => {
      throw isGoingOn && IS_DAMAGED.test(codeOf(error) ?? "") ? damaged(error) : error;
    });
    // Until rows are known to be seen by all, an index alone answers nothing: each is looked up in its table.
    await connections.script("VACUUM (ANALYZE)");
    await endMove(connections, source);
    return { rows, where: readDatabaseUrl(options.url).shownUrl };
  });
}

async function copyAndCompare(
  connections: Connections,
  source: StoreRows,
  progress: Progress,
  told: Move["told"],
): Promise<ReadonlyMap<string, number>> {
  const { rows, makeIndex } = await copyRows(connections, source, progress, told);
  // The database sorts the words while this process compares.
  await Promise.all([makeIndex(), assertSameRows(connections, source)]);
  return rows;
}

// A row that refers to one that is gone, or is there twice; a table or a column that is gone.
const IS_DAMAGED = /^(?:23|42)/;

const damaged = (cause: unknown): CannotOpen =>
  new CannotOpen("the database was changed since this move was cut off", MOVE_AGAIN, cause);
