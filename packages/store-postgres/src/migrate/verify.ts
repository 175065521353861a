import { hash } from "node:crypto";
import { CannotOpen, type StoreRows } from "@chest/core/ports";
import type { Connections } from "../database/connection.ts";
import { type Column, columnsOf } from "./columns.ts";
import { type Moved, TABLES } from "./tables.ts";

// Pages of a table per query: half a megabyte, and oversized values.
const PAGES = 64;

/** Compares every row of both stores by digest, in any order; throws for the first table that differs. */
export async function assertSameRows(connections: Connections, source: StoreRows): Promise<void> {
  for (const table of TABLES) {
    const [there, here] = await digestsOf(connections, source, table);
    if (there.rows !== here.rows) throw differs(`${table.name}: ${there.rows} rows there, ${here.rows} here`);
    if (!there.sum.equals(here.sum)) throw differs(`${table.name}: a row is not what it was`);
  }
  const texts = await connections.get<{ n: number }>("SELECT count(*) AS n FROM memory_text");
  if (texts?.n !== source.count("memory_text"))
    throw differs(`memory_text: ${source.count("memory_text")} rows there, ${texts?.n} here`);
}

/** Hint for a database that cannot be used for a move any more. */
export const MOVE_AGAIN = "empty the database, and move again; the file was not changed";

const differs = (how: string): CannotOpen => new CannotOpen(`the copy differs from the store: ${how}`, MOVE_AGAIN);

/** Sum of row digests, independent of order. */
class Digests {
  rows = 0;
  readonly sum = Buffer.alloc(32);

  add(row: string): void {
    this.rows += 1;
    const digest = hash("sha256", row, "buffer");
    for (let at = 0; at < digest.length; at++) this.sum[at] = ((this.sum[at] ?? 0) + (digest[at] ?? 0)) & 0xff;
  }
}

type Line = Readonly<Record<string, string | null>>;

const PAGES_OF = "SELECT ceil(pg_relation_size(to_regclass(?)) / current_setting('block_size')::numeric)::int AS pages";

async function digestsOf(
  connections: Connections,
  source: StoreRows,
  { name }: Moved,
): Promise<readonly [there: Digests, here: Digests]> {
  const [there, here] = [new Digests(), new Digests()];
  let columns: readonly Column[] | undefined;
  for (const row of source.rows(name, 0)) {
    columns ??= await columnsOf(connections, name, Object.keys(row));
    there.add(lineOf(columns, (column) => column.shownThere(row)));
  }
  const shown = (columns ?? []).map(({ shown: text }, nth) => `${text} AS c${nth}`);
  const sql = `SELECT ${["1 AS row", ...shown].join(", ")} FROM ${name} WHERE ctid >= ?::tid AND ctid < ?::tid`;
  // Reads by physical position: sorted pages would sort all remaining rows each time.
  const from = (page: number): Promise<Line[]> => connections.all(sql, `(${page},0)`, `(${page + PAGES},0)`);
  const pages = (await connections.get<{ pages: number }>(PAGES_OF, name))?.pages ?? 0;
  let asked = from(0);
  for (let page = 0; page < pages; page += PAGES) {
    const lines = await asked;
    // The database reads the next pages while these are compared.
    asked = from(page + PAGES);
    // The error is thrown where it is awaited.
    asked.catch(() => undefined);
    for (const row of lines) here.add(lineOf(columns ?? [], (column, nth) => column.shownHere(row[`c${nth}`] ?? null)));
  }
  await asked;
  return [there, here];
}

const lineOf = (columns: readonly Column[], text: (column: Column, nth: number) => string): string =>
  columns.map(text).join("\u001f");
