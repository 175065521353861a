import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";

type SqlValue = null | number | bigint | string | Uint8Array;
type ResultRow = Record<string, unknown>;

interface Options {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  readonly timeout?: number;
}

/**
 * The part of better-sqlite3's interface that a briefly opened store uses, over Node's own SQLite, so that the bundle
 * needs no native module.
 */
// biome-ignore lint/style/noDefaultExport: the package it stands for has one
export default class Database {
  readonly #db: DatabaseSync;

  constructor(path: string, { readonly = false, fileMustExist = false, timeout = 5000 }: Options = {}) {
    if ((fileMustExist || readonly) && !existsSync(path)) throw failure("SQLITE_CANTOPEN");
    this.#db = explained(() => new DatabaseSync(path, { readOnly: readonly, timeout }));
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  prepare(sql: string): Statement {
    return explained(() => new Statement(this.#db.prepare(sql)));
  }

  exec(sql: string): void {
    explained(() => this.#db.exec(sql));
  }

  /** With `simple` the first value of the first row, else all rows. */
  pragma(text: string, { simple = false }: { readonly simple?: boolean } = {}): unknown {
    const rows = this.prepare(`PRAGMA ${text}`).all() as ResultRow[];
    return simple ? Object.values(rows[0] ?? {})[0] : rows;
  }

  close(): void {
    this.#db.close();
  }
}

class Statement {
  readonly #statement: StatementSync;
  #isPlucked = false;

  constructor(statement: StatementSync) {
    this.#statement = statement;
  }

  pluck(isPlucked = true): this {
    this.#isPlucked = isPlucked;
    return this;
  }

  get(...values: SqlValue[]): unknown {
    const row = explained(() => this.#statement.get(...values)) as ResultRow | undefined;
    return row && this.#given(row);
  }

  all(...values: SqlValue[]): unknown[] {
    const rows = explained(() => this.#statement.all(...values)) as ResultRow[];
    return rows.map((row) => this.#given(row));
  }

  /** Returns all rows at once, because they are few. */
  iterate(...values: SqlValue[]): IterableIterator<unknown> {
    return this.all(...values).values();
  }

  run(...values: SqlValue[]): { changes: number; lastInsertRowid: number } {
    const { changes, lastInsertRowid } = explained(() => this.#statement.run(...values));
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
  }

  #given(row: ResultRow): unknown {
    for (const name in row) {
      const value = row[name];
      if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      if (this.#isPlucked) return row[name];
    }
    return row;
  }
}

// Names of primary error codes; other codes are reported by number.
const CODES: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  19: "SQLITE_CONSTRAINT",
  26: "SQLITE_NOTADB",
};

function explained<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) throw error;
    const primary = error.errcode & 0xff;
    throw failure(CODES[primary] ?? `SQLITE_${primary}`, error);
  }
}

const failure = (code: string, cause?: Error): Error =>
  Object.assign(new Error(cause?.message ?? code, { cause }), { code });
