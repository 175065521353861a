import { CannotOpen } from "@chest/core/ports";
import type Database from "better-sqlite3";

/** Name without case and underscores, so that `createdAt` equals `created_at`. */
const folded = (name: string): string => name.replaceAll("_", "").toLowerCase();

/** Tables of a database by normalised name. */
export function tablesOf(db: Database.Database): Map<string, string> {
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  return new Map(names.map((name) => [folded(name), name]));
}

/** A table of another program, whose columns are found by any of their known names. */
export class Table {
  readonly #db: Database.Database;
  readonly #name: string;
  readonly #columns: ReadonlyMap<string, string>;

  /** Throws `CannotOpen` if the table or a required column is missing. */
  constructor(
    db: Database.Database,
    tables: ReadonlyMap<string, string>,
    name: string,
    wanted: readonly string[] = [],
    path = "the file",
  ) {
    const found = tables.get(folded(name)) ?? tables.get(folded(singular(name)));
    const columns = found === undefined ? [] : (db.pragma(`table_info("${found}")`) as { name: string }[]);
    this.#db = db;
    this.#name = found ?? name;
    this.#columns = new Map(columns.map((column) => [folded(column.name), column.name]));
    const missing = found === undefined ? name : wanted.find((column) => !this.#columns.has(folded(column)));
    if (missing === undefined) return;
    throw new CannotOpen(
      `${path} is not a database of mcp-chest-memory 1.5: it has no \`${found === undefined ? missing : `${name}.${missing}`}\``,
      "name its database file, such as ~/.chest-memory/chest.db; nothing was changed",
    );
  }

  static ifThere(db: Database.Database, tables: ReadonlyMap<string, string>, names: readonly string[]) {
    const name = names.find((each) => tables.has(folded(each)) || tables.has(folded(singular(each))));
    return name === undefined ? undefined : new Table(db, tables, name);
  }

  *rows(): Generator<ForeignRow> {
    const sql = `SELECT * FROM "${this.#name}" ORDER BY rowid`;
    for (const values of this.#db.prepare(sql).iterate()) {
      yield new ForeignRow(values as Record<string, unknown>, this.#columns);
    }
  }
}

const singular = (name: string): string => (name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.replace(/s$/, ""));

// Seconds up to the year 5138; larger numbers are milliseconds.
const LAST_SECONDS = 100_000_000_000;

/** A row whose columns are read by any of their names. */
export class ForeignRow {
  readonly #values: Record<string, unknown>;
  readonly #columns: ReadonlyMap<string, string>;

  constructor(values: Record<string, unknown>, columns: ReadonlyMap<string, string>) {
    this.#values = values;
    this.#columns = columns;
  }

  text(...names: readonly string[]): string | undefined {
    const value = this.#first(names);
    return typeof value === "string" ? value : value === undefined ? undefined : String(value);
  }

  number(...names: readonly string[]): number | undefined {
    const value = this.#first(names);
    const number = typeof value === "bigint" || typeof value === "string" ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : undefined;
  }

  integer(...names: readonly string[]): number | undefined {
    const value = this.number(...names);
    return Number.isSafeInteger(value) ? value : undefined;
  }

  flag(...names: readonly string[]): boolean {
    return (this.number(...names) ?? 0) !== 0;
  }

  has(...names: readonly string[]): boolean {
    return this.#first(names) !== undefined;
  }

  /** A time in unix seconds, from any notation. */
  at(...names: readonly string[]): number | undefined {
    const value = this.#first(names);
    if (typeof value === "string" && !/^\d+(\.\d+)?$/.test(value)) {
      const read = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(value) ? value : `${value.replace(" ", "T")}Z`);
      return Number.isNaN(read) ? undefined : Math.floor(read / 1000);
    }
    const number = this.number(...names);
    if (number === undefined || number <= 0) return undefined;
    return Math.floor(number > LAST_SECONDS ? number / 1000 : number);
  }

  #first(names: readonly string[]): unknown {
    for (const name of names) {
      const column = this.#columns.get(folded(name));
      const value = column === undefined ? undefined : this.#values[column];
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }
}
