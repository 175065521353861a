import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import postgres from "postgres";
import { readable } from "./errors.ts";

export type Value = string | number | boolean | null | readonly string[] | readonly number[];

/** Statements on a connection. Values stand as `?`, lists are arrays: `= ANY (?)`. */
export interface Statements {
  get<T>(sql: string, ...values: readonly Value[]): Promise<T | undefined>;
  all<T>(sql: string, ...values: readonly Value[]): Promise<T[]>;
  /** The first column of each row, a number. */
  ids(sql: string, ...values: readonly Value[]): Promise<number[]>;
  run(sql: string, ...values: readonly Value[]): Promise<{ readonly changes: number }>;
}

export type Reading = Pick<Statements, "get" | "all" | "ids">;

export interface ConnectionOptions {
  readonly url: string;
  /** As it is shown to the operator of the database. */
  readonly name: string;
  /** Most connections at once. */
  readonly most: number;
  readonly statementTimeoutMs: number;
  /** A certificate authority's file, in PEM, by which the server is verified. */
  readonly caFile?: string | undefined;
  readonly password?: string | undefined;
}

// A row's lock is held for milliseconds; who waits for seconds is told to come again.
const LOCK_TIMEOUT_MS = 3000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const CONNECT_TIMEOUT_S = 10;

/** Numbers of 64 bits as numbers: ids, counts and seconds stay far below 2^53. */
const NUMBERS = {
  int8: { to: 20, from: [20], serialize: String, parse: Number },
  numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
};

type Sql = postgres.Sql<{ int8: number; numeric: number }>;
type Transacting = Pick<Sql, "unsafe">;

/** Connections to a database, as many as are needed up to a limit. Nothing but this file knows the driver. */
export class Connections implements Statements {
  readonly #sql: Sql;

  constructor({ url, name, most, statementTimeoutMs, caFile, password }: ConnectionOptions) {
    this.#sql = postgres(url, {
      max: most,
      connect_timeout: CONNECT_TIMEOUT_S,
      idle_timeout: 60,
      prepare: true,
      types: NUMBERS,
      onnotice: () => undefined,
      target_session_attrs: "read-write",
      ...(password === undefined ? {} : { password }),
      ...(caFile === undefined ? {} : { ssl: { ca: readFileSync(caFile, "utf8"), rejectUnauthorized: true } }),
      connection: {
        application_name: name,
        statement_timeout: statementTimeoutMs,
        lock_timeout: LOCK_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        // Compiling a plan takes longer than any of these statements.
        jit: "off",
      } as Record<string, string | number>,
    }) as unknown as Sql;
  }

  get<T>(sql: string, ...values: readonly Value[]): Promise<T | undefined> {
    return this.all<T>(sql, ...values).then(([row]) => row);
  }

  async all<T>(sql: string, ...values: readonly Value[]): Promise<T[]> {
    try {
      return (await ask(this.#sql, sql, values)) as unknown as T[];
    } catch (error) {
      throw readable(error);
    }
  }

  async ids(sql: string, ...values: readonly Value[]): Promise<number[]> {
    return firsts(await this.all<Record<string, number>>(sql, ...values));
  }

  async run(sql: string, ...values: readonly Value[]): Promise<{ readonly changes: number }> {
    try {
      return { changes: (await ask(this.#sql, sql, values)).count };
    } catch (error) {
      throw readable(error);
    }
  }

  /** Several statements without values, as one. */
  async script(sql: string): Promise<void> {
    await this.#sql.unsafe(sql).simple();
  }

  /**
   * Runs work in one transaction. What it throws undoes it; errors come as the driver throws them.
   * @param onCommit called when the work is done and the commit is sent: from then on its fate may be unknown.
   */
  async transaction<T>(mode: string, work: (tx: Piped) => Promise<T>, onCommit: () => void): Promise<T> {
    const outcome = await this.#sql.begin(mode, async (sql) => {
      const piped = new Piped(sql as unknown as Transacting);
      try {
        const value = await work(piped);
        await piped.settled();
        onCommit();
        return { value };
      } finally {
        piped.isOver = true;
      }
    });
    return (outcome as { value: T }).value;
  }

  /** Calls for each notification on a channel, over a connection of its own that is made again when it is lost. */
  async listen(
    channel: string,
    heard: (payload: string) => void,
    onListening: () => void,
  ): Promise<() => Promise<void>> {
    const { unlisten } = await this.#sql.listen(channel, heard, onListening);
    return unlisten;
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }
}

/** A transaction's statements. Those sent `later` travel without being waited for, in order, before whatever comes next. */
export class Piped implements Statements {
  readonly #sql: Transacting;
  readonly #sent: Promise<unknown>[] = [];
  #error: unknown;
  isOver = false;

  constructor(sql: Transacting) {
    this.#sql = sql;
  }

  get<T>(sql: string, ...values: readonly Value[]): Promise<T | undefined> {
    return this.all<T>(sql, ...values).then(([row]) => row);
  }

  async all<T>(sql: string, ...values: readonly Value[]): Promise<T[]> {
    return (await this.#ask(sql, values)) as unknown as T[];
  }

  async ids(sql: string, ...values: readonly Value[]): Promise<number[]> {
    return firsts(await this.all<Record<string, number>>(sql, ...values));
  }

  async run(sql: string, ...values: readonly Value[]): Promise<{ readonly changes: number }> {
    return { changes: (await this.#ask(sql, values)).count };
  }

  later(sql: string, ...values: readonly Value[]): void {
    this.#assertAlive();
    this.#sent.push(
      ask(this.#sql, sql, values).then(undefined, (error: unknown) => {
        this.#error ??= error;
      }),
    );
  }

  /** Several statements without values, as one. */
  async script(sql: string): Promise<void> {
    this.#assertAlive();
    await this.#sql.unsafe(sql).simple();
  }

  /** Waits for what was sent; throws the first error of it. */
  async settled(): Promise<void> {
    await Promise.all(this.#sent.splice(0));
    if (this.#error !== undefined) throw this.#error;
  }

  async #ask(sql: string, values: readonly Value[]) {
    this.#assertAlive();
    try {
      return await ask(this.#sql, sql, values);
    } catch (error) {
      // What failed first is why the rest did.
      throw this.#error ?? error;
    }
  }

  #assertAlive(): void {
    if (this.isOver) throw new Error("a transaction was used after its end");
  }
}

const firsts = (rows: readonly Record<string, number>[]): number[] =>
  rows.map((row) => Object.values(row)[0] as number);

const MOST_KEPT = 2000;
const known = new Map<string, string>();

/** A statement with its values numbered, as PostgreSQL takes them. */
function numbered(sql: string): string {
  const text = known.get(sql);
  if (text !== undefined) return text;
  let count = 0;
  const made = sql.replaceAll("?", () => {
    count += 1;
    return `$${count}`;
  });
  if (known.size >= MOST_KEPT) known.clear();
  known.set(sql, made);
  return made;
}

const ask = (on: Transacting, sql: string, values: readonly Value[]) =>
  on.unsafe(numbered(sql), values as never[], { prepare: true });

/** A number that stands for a text, for a lock in the name of that text. */
export const lockOf = (text: string): number => createHash("sha256").update(text).digest().readInt32BE(0);
