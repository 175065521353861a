import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import type { Reading, SqlValue, Statements } from "@chest/store/database/connection";
import pg from "pg";
import { POSTGRES } from "./dialect.ts";
import { codeOf, readable } from "./errors.ts";
import { planned, prepared } from "./prepared.ts";
import { Transfer } from "./transfer.ts";

export type { Reading, SqlValue, Statements };

export interface ConnectionOptions {
  readonly url: string;
  /** Name for the database's operator. */
  readonly name: string;
  /** Most connections at once. */
  readonly most: number;
  readonly statementTimeoutMs: number;
  /** Gives up a connection without an answer for this long: a frozen server enforces no limit of its own. */
  readonly frozenAfterMs?: number | undefined;
  /** Time limit for a lock; 3 s by default, 0 for none. */
  readonly lockTimeoutMs?: number | undefined;
  /** PEM file of the certificate authority that verifies the server. */
  readonly caFile?: string | undefined;
  readonly password?: string | undefined;
  /** Role that statements run as, for row policies; the URL's user by default. */
  readonly role?: string | undefined;
}

// Row locks are held for milliseconds; a caller that waits for seconds is told to retry.
const LOCK_TIMEOUT_MS = 3000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
// Compilation and parallel workers take longer than most of these statements. Pages are mostly in memory or on flash,
// where random reads cost little more than sequential ones.
const PLANNING = "-c jit=off -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1";
const IDLE_MS = 60_000;

const { builtins, getTypeParser } = pg.types;
const INT8_ARRAY = 1016;
const listOf = getTypeParser(INT8_ARRAY as never) as unknown as (text: string) => readonly string[];

/** 64-bit numbers as JavaScript numbers: ids, counts and seconds stay far below 2^53. */
const TYPES = {
  getTypeParser(oid: number, format?: string) {
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number;
    if (oid === INT8_ARRAY) return (text: string) => listOf(text).map(Number);
    return getTypeParser(oid, format as "text");
  },
};

/**
 * Time for which a pooler gives a connection of the server to a client. `forgetful`: per transaction, and prepared
 * statements are lost.
 */
export type PoolerLending = "session" | "transaction" | "forgetful";

const PROCESS = "SELECT pg_backend_pid() AS pid";
// Another client may get the server process in between.
const LENT_TRIES = 3;
// Error codes: the statement does not exist, or has another client's definition.
const UNPREPARED = ["26000", "42P05"];

/** Statements that are awaited, over what sends one to the server. */
abstract class Asking {
  protected abstract ask(query: pg.QueryConfig): Promise<pg.QueryResult>;

  get<T>(sql: string, ...values: readonly SqlValue[]): Promise<T | undefined> {
    return this.all<T>(sql, ...values).then(([row]) => row);
  }

  async all<T>(sql: string, ...values: readonly SqlValue[]): Promise<T[]> {
    return (await this.ask(prepared(sql, values))).rows as T[];
  }

  async allPlanned<T>(sql: string, ...values: readonly SqlValue[]): Promise<T[]> {
    return (await this.ask(planned(sql, values))).rows as T[];
  }

  async ids(sql: string, ...values: readonly SqlValue[]): Promise<number[]> {
    return firsts(await this.all<Record<string, number>>(sql, ...values));
  }

  async run(sql: string, ...values: readonly SqlValue[]): Promise<{ readonly changes: number }> {
    return { changes: (await this.ask(prepared(sql, values))).rowCount ?? 0 };
  }
}

/** Pool of connections up to a limit. Only this file, `prepared.ts` and `transfer.ts` use the driver. */
export class Connections extends Asking implements Reading {
  readonly dialect = POSTGRES;
  readonly #pool: pg.Pool;

  constructor(options: ConnectionOptions) {
    super();
    const { name, most, statementTimeoutMs, caFile, lockTimeoutMs = LOCK_TIMEOUT_MS, frozenAfterMs, role } = options;
    this.#pool = new pg.Pool({
      connectionString: addressOf(options),
      max: most,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      // Statements are sent without waiting for the previous answer.
      pipeline: true,
      application_name: name,
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      ...(frozenAfterMs === undefined ? {} : { query_timeout: frozenAfterMs }),
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      // Work of the store itself sees all rows, whatever the policies.
      options: `${PLANNING}${role === undefined ? "" : ` -c role=${role} -c chest.spaces=*`}`,
      types: TYPES as pg.CustomTypesConfig,
      ...(caFile === undefined ? {} : { ssl: { ca: readFileSync(caFile, "utf8"), rejectUnauthorized: true } }),
    } as pg.PoolConfig);
    // A connection lost while idle is replaced on demand.
    this.#pool.on("error", () => undefined);
  }

  get use() {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting, most: this.#pool.options.max };
  }

  /** Runs several statements without values. */
  async script(sql: string): Promise<void> {
    await this.#pool.query(sql);
  }

  protected async ask(query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await this.#pool.query(query);
    } catch (error) {
      throw readable(error);
    }
  }

  /**
   * Runs work in one transaction, which an error rolls back; driver errors are thrown unchanged. The commit is sent
   * right behind the last statements: if one of them failed, the commit rolls back.
   * @param onCommit called when the commit is sent: from then on its result may be unknown.
   */
  async transaction<T>(work: (tx: Piped) => Promise<T>, onCommit: () => void = () => undefined): Promise<T> {
    const client = await this.#pool.connect();
    // The current statement fails with the same error.
    const noted = () => undefined;
    client.on("error", noted);
    const piped = new Piped(client);
    let broken: unknown;
    try {
      piped.later("BEGIN");
      const value = await work(piped);
      onCommit();
      const { command } = await piped.commit();
      // If a statement failed, the server answers COMMIT with ROLLBACK, even if the error was caught.
      if (command !== "COMMIT") throw new Error("the transaction was undone: one of its statements had failed");
      return value;
    } catch (error) {
      await piped.settled().catch(() => undefined);
      // A connection that cannot roll back is discarded.
      broken = await client.query("ROLLBACK").then(
        () => undefined,
        (refusal: unknown) => refusal,
      );
      throw error;
    } finally {
      piped.isOver = true;
      client.off("error", noted);
      client.release(broken !== undefined);
    }
  }

  /**
   * Finds out whether a pooler lends connections per transaction, and whether it keeps prepared statements across
   * server processes.
   */
  async lending(): Promise<PoolerLending> {
    const [one, other] = await Promise.all([this.#pool.connect(), this.#pool.connect()]);
    let isBroken = true;
    try {
      let isShared = false;
      for (let tries = 0; tries < LENT_TRIES && !isShared; tries++) {
        const { rows: before } = await one.query(prepared(PROCESS, []));
        await other.query("BEGIN");
        const { rows: lent } = await other.query(PROCESS);
        isShared = before[0]?.pid === lent[0]?.pid;
        // The other connection holds the process on which this was prepared.
        if (isShared) await one.query(prepared(PROCESS, []));
        await other.query("ROLLBACK");
      }
      isBroken = false;
      return isShared ? "transaction" : "session";
    } catch (error) {
      if (UNPREPARED.includes(codeOf(error) ?? "")) return "forgetful";
      throw error;
    } finally {
      for (const client of [one, other]) client.release(isBroken);
    }
  }

  /** Listens for notifications on a channel, over a separate connection. */
  async listen(channel: string, heard: (payload: string) => void): Promise<SignalListener> {
    const client = new pg.Client(this.#pool.options);
    const ended = new Promise<void>((resolve) => {
      client.on("error", () => resolve());
      client.on("end", () => resolve());
    });
    client.on("notification", ({ payload = "" }) => heard(payload));
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    return { ended, close: () => client.end() };
  }

  /** Opens a separate connection, on which rows are streamed into a table. */
  async transfer(): Promise<Transfer> {
    const client = new pg.Client({ ...this.#pool.options, pipeline: false } as pg.ClientConfig);
    // The current or next statement fails with the same error.
    client.on("error", () => undefined);
    await client.connect();
    return new Transfer(client);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Completes the URL from the options, because the driver lets the URL override its options. */
function addressOf({ url, password, caFile }: ConnectionOptions): string {
  const address = new URL(url);
  if (password !== undefined) address.password = encodeURIComponent(password);
  // With a certificate authority, host and certificate are verified.
  if (caFile !== undefined) address.searchParams.delete("sslmode");
  return address.href;
}

/** Connection that listens for notifications. */
export interface SignalListener {
  /** Resolves when the connection is lost or closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Statements of a transaction. Those sent with `later` are not awaited, but run in order. */
export class Piped extends Asking implements Statements {
  readonly dialect = POSTGRES;
  readonly #client: pg.PoolClient;
  #last: Promise<unknown> = Promise.resolve();
  #error: unknown;
  /** Results of queries that were sent in advance. */
  readonly #ahead = new Map<string, Promise<pg.QueryResult>>();
  isOver = false;

  constructor(client: pg.PoolClient) {
    super();
    this.#client = client;
  }

  later(sql: string, ...values: readonly SqlValue[]): void {
    const query = prepared(sql, values);
    this.#next(query) ?? void this.#unawaited(query);
  }

  readonly ahead = (sql: string, ...values: readonly SqlValue[]): void => {
    const query = prepared(sql, values);
    this.#ahead.set(keyOf(query), this.#unawaited(query));
  };

  /** Takes the first row of a query that was sent in advance; undefined if there is none, or it was taken. */
  async next<T>(sql: string): Promise<T | undefined> {
    return (await this.#next(prepared(sql, [])))?.rows[0] as T | undefined;
  }

  #next(query: pg.QueryConfig): Promise<pg.QueryResult> | undefined {
    if (this.#ahead.size === 0) return undefined;
    const key = keyOf(query);
    const answer = this.#ahead.get(key);
    this.#ahead.delete(key);
    return answer;
  }

  /** Sends a statement whose error is thrown by the next awaited one. */
  #unawaited(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const answer = this.#send(query);
    answer.catch((error: unknown) => {
      this.#error ??= error;
    });
    return answer;
  }

  /** Runs several statements without values. */
  async script(sql: string): Promise<void> {
    await this.#send({ text: sql });
  }

  /** Waits for all sent statements; throws the first error. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined);
    if (this.#error !== undefined) throw this.#error;
  }

  /** Sends the commit; throws the first error of the statements before it. */
  async commit(): Promise<pg.QueryResult> {
    const committed = this.#send({ text: "COMMIT" });
    await this.settled();
    return committed;
  }

  protected async ask(query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await (this.#next(query) ?? this.#send(query));
    } catch (error) {
      // Later errors are consequences of the first.
      throw this.#error ?? error;
    }
  }

  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.isOver) return Promise.reject(new Error("a transaction was used after its end"));
    inOnePacket(this.#client);
    // The server answers in order.
    const answer = this.#client.query(query);
    this.#last = answer;
    return answer;
  }
}

/** Key of a prepared statement with its values. */
const keyOf = ({ name, values }: pg.QueryConfig): string => JSON.stringify([name, values]);

/**
 * Collects what is sent in this turn of the event loop into one packet, because each write to the socket is expensive.
 */
function inOnePacket(client: pg.PoolClient): void {
  const { stream } = (client as pg.PoolClient & { readonly connection: { readonly stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const firsts = (rows: readonly Record<string, number>[]): number[] =>
  rows.map((row) => Object.values(row)[0] as number);
