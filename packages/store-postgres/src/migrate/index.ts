import { CannotOpen, type StoreRows } from "@chest/core/ports";
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
  /** Called after each completed table. */
  readonly onProgress: (table: string, rows: number) => void;
}

export interface Moved {
  /** Rows by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Address of the database, without a password. */
  readonly where: string;
}

/** Moves every row of a store into an empty database and compares both; after an interruption a second call resumes. */
export function moveInto({ source, onProgress, ...options }: Move): Promise<Moved> {
  return withConnections({ ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (connections) => {
    await assertServer(connections);
    await migrate(connections);
    const { progress, isGoingOn } = await beginMove(connections, source);
    const rows = await copyAndCompare(connections, source, progress, onProgress).catch((error: unknown) => {
      throw isGoingOn && IS_DAMAGED.test(codeOf(error) ?? "") ? damaged(error) : error;
    });
    // Marks rows as visible to all, so that index-only scans work.
    await connections.script("VACUUM (ANALYZE)");
    await endMove(connections, source);
    return { rows, where: readDatabaseUrl(options.url).shownUrl };
  });
}

async function copyAndCompare(
  connections: Connections,
  source: StoreRows,
  progress: Progress,
  onProgress: Move["onProgress"],
): Promise<ReadonlyMap<string, number>> {
  const { rows, makeIndex } = await copyRows(connections, source, progress, onProgress);
  // The database builds the index while this process compares.
  await Promise.all([makeIndex(), assertSameRows(connections, source)]);
  return rows;
}

// Errors of a damaged source: a missing reference, a duplicate, a missing table or column.
const IS_DAMAGED = /^(?:23|42)/;

const damaged = (cause: unknown): CannotOpen =>
  new CannotOpen("the database was changed since this move was cut off", MOVE_AGAIN, cause);
