import { statSync } from "node:fs";
import Database from "better-sqlite3";

type Value = string | number | bigint | null | Uint8Array;
type Named = Readonly<Record<string, Value>>;

export interface ConnectionOptions {
  readonly readonly?: boolean;
  readonly synchronous?: "FULL" | "NORMAL";
  readonly busyTimeoutMs?: number;
  /** Time that opening, and later each read, waits for a lock; the thread does nothing else meanwhile. */
  readonly openingMs?: number;
  /** Open as long as its program: what it has mapped by reading is unmapped now and then. */
  readonly isLongLived?: boolean;
}

// The default of 2 MB makes every write fetch its index pages again. Pages count as used only once they are.
const CACHE_KIB = 32 * 1024;
// Readers keep lists in a form of their own; rows are read once.
const READING_CACHE_KIB = 8 * 1024;
// Opening waits for a process that is just closing, however long the connection waits later.
const OPENING_MS = 5000;
// A row read where it lies costs a third of one that is copied. But what is mapped and read counts as memory of this
// process, for each connection anew: of a larger file only a part would be faster, and a gibibyte more be held.
const MAPPED_BYTES = 1024 * 1024 * 1024;
// Unmapping 35 MB and reading them again takes 2 ms: so much of a second for each 64 MB is a fifth of a percent of it.
const UNMAP_MS = 1000;
const UNMAP_BYTES = 64 * 1024 * 1024;

/** One connection with its prepared statements, each compiled once. */
export class Connection {
  readonly db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #unmapMs: number | undefined;
  #unmapping: NodeJS.Timeout | undefined;

  constructor(
    path: string,
    {
      readonly = false,
      synchronous = "FULL",
      openingMs = OPENING_MS,
      busyTimeoutMs = openingMs,
      isLongLived = false,
    }: ConnectionOptions = {},
  ) {
    this.db = new Database(path, { readonly, fileMustExist: true, timeout: openingMs });
    this.db.pragma("foreign_keys = ON");
    this.db.pragma(`cache_size = -${readonly ? READING_CACHE_KIB : CACHE_KIB}`);
    const { size } = statSync(path);
    const isMapped = size < MAPPED_BYTES;
    this.db.pragma(`mmap_size = ${isMapped ? MAPPED_BYTES : 0}`);
    this.#unmapMs = isMapped && isLongLived ? UNMAP_MS * Math.max(1, size / UNMAP_BYTES) : undefined;
    if (readonly) {
      this.db.pragma("query_only = ON");
      return;
    }
    this.db.pragma("journal_mode = WAL");
    this.db.pragma(`synchronous = ${synchronous}`);
    this.db.pragma("secure_delete = ON");
    // Pages that a savepoint may have to bring back are spilled to a file past 64 KB: most writes are larger.
    this.db.pragma("temp_store = MEMORY");
    this.#assertPragmas(synchronous);
    this.db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }

  get<T>(sql: string, ...values: readonly (Value | Named)[]): T | undefined {
    return this.#prepared(sql).get(...values) as T | undefined;
  }

  all<T>(sql: string, ...values: readonly (Value | Named)[]): T[] {
    return this.#prepared(sql).all(...values) as T[];
  }

  /** Row by row, where all of them are too many to hold. To be read to its end: until then nothing is written here. */
  iterate<T>(sql: string, ...values: readonly Value[]): IterableIterator<T> {
    return this.#prepared(sql).iterate(...values) as IterableIterator<T>;
  }

  /** The first column of each row, for statements that give nothing but ids. */
  ids(sql: string, ...values: readonly (Value | Named)[]): number[] {
    const statement = this.#prepared(sql);
    return statement.pluck(true).all(...values) as number[];
  }

  run(sql: string, ...values: readonly Value[]): Database.RunResult {
    return this.#prepared(sql).run(...values);
  }

  /** Runs reads over one snapshot; nothing may be changed in it. */
  snapshot<T>(work: () => T): T {
    if (this.db.inTransaction) return work();
    this.run("BEGIN");
    try {
      return work();
    } finally {
      if (this.db.inTransaction) this.run("COMMIT"); // Some errors end it.
    }
  }

  close(): void {
    clearTimeout(this.#unmapping);
    this.#statements.clear();
    this.db.close();
  }

  #prepared(sql: string): Database.Statement {
    if (this.#unmapMs !== undefined) this.#unmapping ??= setTimeout(() => this.#unmap(), this.#unmapMs).unref();
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #unmap(): void {
    this.#unmapping = undefined;
    try {
      this.db.pragma("mmap_size = 0");
      this.db.pragma(`mmap_size = ${MAPPED_BYTES}`);
    } catch (error) {
      // Rows are still being read here; what is read next leads to another try.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  #assertPragmas(synchronous: string): void {
    const is = (name: string) => this.db.pragma(name, { simple: true });
    const asked = {
      journal_mode: "wal",
      foreign_keys: 1,
      secure_delete: 1,
      synchronous: synchronous === "FULL" ? 2 : 1,
    };
    for (const [name, value] of Object.entries(asked)) {
      if (is(name) !== value) throw new Error(`pragma ${name} did not take`);
    }
  }
}

/** The reading half of a connection. */
export type Reading = Pick<Connection, "get" | "all" | "ids">;

/** Statements that read and write, without control over transactions. */
export type Statements = Reading & Pick<Connection, "run">;
