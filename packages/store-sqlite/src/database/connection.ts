import { statSync } from "node:fs";
import Database from "better-sqlite3";

type SqlValue = string | number | bigint | null | Uint8Array;
type NamedValues = Readonly<Record<string, SqlValue>>;

export interface ConnectionOptions {
  readonly readonly?: boolean;
  readonly synchronous?: "FULL" | "NORMAL";
  readonly busyTimeoutMs?: number;
  /** Time that opening, and later each read, waits for a lock; it blocks the thread. */
  readonly openingMs?: number;
  /** Set for long-lived connections, whose mapped pages are released now and then. */
  readonly isLongLived?: boolean;
}

// With the default of 2 MB every write reads index pages again. Memory is used only for cached pages.
const CACHE_KIB = 32 * 1024;
// Readers cache lists in another form, and read each row once.
const READING_CACHE_KIB = 8 * 1024;
// Time limit for opening, for example while another process closes the store.
const OPENING_MS = 5000;
// Memory-mapped reads cost a third of copied ones. But mapped pages count as memory of this process for each
// connection; for a larger file, only a part would be faster and another gibibyte would be used.
const MAPPED_BYTES = 1024 * 1024 * 1024;
// Unmapping 35 MB and reading them again takes 2 ms: one such pause a second for each 64 MB costs a fifth of a percent.
const UNMAP_MS = 1000;
const UNMAP_BYTES = 64 * 1024 * 1024;

/** A connection with cached prepared statements. */
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
    // Savepoints spill to a file above 64 KB, which most writes exceed.
    this.db.pragma("temp_store = MEMORY");
    this.#assertPragmas(synchronous);
    this.db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }

  get<T>(sql: string, ...values: readonly (SqlValue | NamedValues)[]): T | undefined {
    return this.#prepared(sql).get(...values) as T | undefined;
  }

  all<T>(sql: string, ...values: readonly (SqlValue | NamedValues)[]): T[] {
    return this.#prepared(sql).all(...values) as T[];
  }

  /** Yields rows one by one, for results too large to hold. Must be read to the end before the connection writes. */
  iterate<T>(sql: string, ...values: readonly SqlValue[]): IterableIterator<T> {
    return this.#prepared(sql).iterate(...values) as IterableIterator<T>;
  }

  /** The first column of each row, for statements that return ids. */
  ids(sql: string, ...values: readonly (SqlValue | NamedValues)[]): number[] {
    const statement = this.#prepared(sql);
    return statement.pluck(true).all(...values) as number[];
  }

  run(sql: string, ...values: readonly SqlValue[]): Database.RunResult {
    return this.#prepared(sql).run(...values);
  }

  /** Runs reads over one snapshot; the work must not write. */
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
      // A statement is still being read; the next read tries again.
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

/** Reading methods of a connection. */
export type Reading = Pick<Connection, "get" | "all" | "ids">;

/** Statements that read and write, without control over transactions. */
export type Statements = Reading & Pick<Connection, "run">;
