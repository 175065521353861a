import { WIRE_VERSION } from "@chest/contracts";
import type { StoreRows } from "@chest/core";
import { Connections } from "../database/connection.ts";
import { migrate } from "../database/migrations.ts";
import { readDatabaseUrl } from "../database/url.ts";
import { assertServer, explained, type PostgresOptions } from "../open.ts";
import { copyRows, endMove } from "./copy.ts";
import { assertSameRows } from "./verify.ts";

const STATEMENT_TIMEOUT_MS = 600_000;

export interface Move extends Pick<PostgresOptions, "url" | "password" | "caFile"> {
  readonly source: StoreRows;
  /** Told of every table that is through. */
  readonly told: (table: string, rows: number) => void;
}

export interface Moved {
  /** Rows by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Address of the database, without a password. */
  readonly where: string;
}

/** Moves every row of a store into an empty database, and compares both; cut off, a second call goes on. */
export async function moveInto({ source, told, url: given, ...options }: Move): Promise<Moved> {
  const { url, shownUrl } = readDatabaseUrl(given);
  const name = `chest-move/${WIRE_VERSION}`;
  const connections = new Connections({ ...options, url, name, most: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  try {
    await assertServer(connections);
    await migrate(connections);
    const rows = await copyRows(connections, source, told);
    await assertSameRows(connections, source);
    await connections.script("ANALYZE");
    await endMove(connections, source);
    return { rows, where: shownUrl };
  } catch (error) {
    throw explained(error, shownUrl);
  } finally {
    await connections.close();
  }
}
