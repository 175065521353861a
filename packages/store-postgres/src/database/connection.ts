import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import type { Reading, Statements, Value } from "@chest/store/database/connection";
import pg from "pg";
import { POSTGRES } from "./dialect.ts";
import { codeOf, readable } from "./errors.ts";
import { asked, planned } from "./prepared.ts";
import { Transfer } from "./transfer.ts";

export type { Reading, Statements, Value };

export interface ConnectionOptions {
  readonly url: string;
  /** As it is shown to the operator of the database. */
  readonly name: string;
  /** Most connections at once. */
  readonly most: number;
  readonly statementTimeoutMs: number;
  /** A connection without an answer for so long is given up: a frozen server keeps no limit of its own. */
  readonly frozenAfterMs?: number | undefined;
  /** How long a lock is waited for; 3 s by default, 0 for ever. */
  readonly lockTimeoutMs?: number | undefined;
  /** A certificate authority's file, in PEM, by which the server is verified. */
  readonly caFile?: string | undefined;
  readonly password?: string | undefined;
  /** Role that statements run as, which policies for rows bind; that of the URL by default. */
  readonly role?: string | undefined;
}

// A row's lock is held for milliseconds; who waits for seconds is told to come again.
const LOCK_TIMEOUT_MS = 3000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
// Compiling a plan and starting other processes take longer than nearly all of these statements; and a page that is looked
// for lies in memory or on flash, where it costs about what the next one costs.
const PLANNING = "-c jit=off -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1";
const IDLE_MS = 60_000;

const { builtins, getTypeParser } = pg.types;
const INT8_ARRAY = 1016;
const listOf = getTypeParser(INT8_ARRAY as never) as unknown as (text: string) => readonly string[];

/** Numbers of 64 bits as numbers: ids, counts and seconds stay far below 2^53. */
const TYPES = {
  getTypeParser(oid: number, format?: string) {
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number;
    if (oid === INT8_ARRAY) return (text: string) => listOf(text).map(Number);
    return getTypeParser(oid, format as "text");
  },
};

/** `forgetful`: lent for a transaction, and what was prepared before is not known any more. */
export type Lending = "session" | "transaction" | "forgetful";

const PROCESS = "SELECT pg_backend_pid() AS pid";
// Another client may get the process in between.
const LENT_TRIES = 3;
// No such statement; or one of this name from another client.
const UNPREPARED = ["26000", "42P05"];

/** Connections to a database, as many as are needed up to a limit. Nothing but this file, `prepared.ts` and `transfer.ts` knows the driver. */
export class Connections implements Reading {
  readonly dialect = POSTGRES;
  readonly #pool: pg.Pool;

  constructor(options: ConnectionOptions) {
    const { name, most, statementTimeoutMs, caFile, lockTimeoutMs = LOCK_TIMEOUT_MS, frozenAfterMs, role } = options;
    this.#pool = new pg.Pool({
      connectionString: addressOf(options),
      max: most,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      // A statement is sent without waiting for the answer to the one before it.
      pipeline: true,
      application_name: name,
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      ...(frozenAfterMs === undefined ? {} : { query_timeout: frozenAfterMs }),
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      // The store's own work sees all rows, whatever policies there are.
      options: `${PLANNING}${role === undefined ? "" : ` -c role=${role} -c chest.spaces=*`}`,
      types: TYPES as pg.CustomTypesConfig,
      ...(caFile === undefined ? {} : { ssl: { ca: readFileSync(caFile, "utf8"), rejectUnauthorized: true } }),
    } as pg.PoolConfig);
    // A connection that is lost while idle is replaced when it is wanted.
    this.#pool.on("error", () => undefined);
  }

  get<T>(sql: string, ...values: readonly Value[]): Promise<T | undefined> {
    return this.all<T>(sql, ...values).then(([row]) => row);
  }

  async all<T>(sql: string, ...values: readonly Value[]): Promise<T[]> {
    return (await this.#ask(asked(sql, values))).rows as T[];
  }

  async allPlanned<T>(sql: string, ...values: readonly Value[]): Promise<T[]> {
    return (await this.#ask(planned(sql, values))).rows as T[];
  }

  async ids(sql: string, ...values: readonly Value[]): Promise<number[]> {
    return firsts(await this.all<Record<string, number>>(sql, ...values));
  }

  async run(sql: string, ...values: readonly Value[]): Promise<{ readonly changes: number }> {
    return { changes: (await this.#ask(asked(sql, values))).rowCount ?? 0 };
  }

  get use() {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting, most: this.#pool.options.max };
  }

  /** Several statements without values, as one. */
  async script(sql: string): Promise<void> {
    await this.#pool.query(sql);
  }

  async #ask(query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await this.#pool.query(query);
    } catch (error) {
      throw readable(error);
    }
  }

  /**
   * Runs work in one transaction. What it throws undoes it; errors come as the driver throws them. The commit is sent behind
   * the last statements without waiting for them: where one of them failed, it undoes the transaction.
   * @param onCommit called when the work is done and the commit is sent: from then on its fate may be unknown.
   */
  async transaction<T>(work: (tx: Piped) => Promise<T>, onCommit: () => void = () => undefined): Promise<T> {
    const client = await this.#pool.connect();
    // The statement that was under way is told of it, too.
    const noted = () => undefined;
    client.on("error", noted);
    const piped = new Piped(client);
    let broken: unknown;
    try {
      piped.later("BEGIN");
      const value = await work(piped);
      onCommit();
      const { command } = await piped.commit();
      // The server's way to say that a statement had failed, even where its error was caught.
      if (command !== "COMMIT") throw new Error("the transaction was undone: one of its statements had failed");
      return value;
    } catch (error) {
      await piped.settled().catch(() => undefined);
      // A connection that does not take even this is thrown away.
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
   * Finds out how connections reach the server: each as a process of its own, or lent by a pooler for one transaction at a
   * time; and whether such a pooler knows on one process what was prepared on another.
   */
  async lending(): Promise<Lending> {
    const [one, other] = await Promise.all([this.#pool.connect(), this.#pool.connect()]);
    let isBroken = true;
    try {
      let isShared = false;
      for (let tries = 0; tries < LENT_TRIES && !isShared; tries++) {
        const { rows: before } = await one.query(asked(PROCESS, []));
        await other.query("BEGIN");
        const { rows: lent } = await other.query(PROCESS);
        isShared = before[0]?.pid === lent[0]?.pid;
        // The other one holds the process on which this was prepared.
        if (isShared) await one.query(asked(PROCESS, []));
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

  /** Calls for each notification on a channel, over a connection beside the pool. */
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

  /** Opens a connection beside the pool, on which rows are streamed into a table. */
  async transfer(): Promise<Transfer> {
    const client = new pg.Client({ ...this.#pool.options, pipeline: false } as pg.ClientConfig);
    // The statement that is under way is told of it, or the next one.
    client.on("error", () => undefined);
    await client.connect();
    return new Transfer(client);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** The URL with all that is given beside it: the driver takes what stands in a URL, or is missing there, before its own options. */
function addressOf({ url, password, caFile }: ConnectionOptions): string {
  const address = new URL(url);
  if (password !== undefined) address.password = encodeURIComponent(password);
  // The authority's file has the certificate verified, host and all.
  if (caFile !== undefined) address.searchParams.delete("sslmode");
  return address.href;
}

/** Connection that hears notifications. */
export interface SignalListener {
  /** Resolves when it is lost or closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * A transaction's statements. Those sent `later` are not waited for; they keep their order, before the next awaited
 * one.
 */
export class Piped implements Statements {
  readonly dialect = POSTGRES;
  readonly #client: pg.PoolClient;
  #last: Promise<unknown> = Promise.resolve();
  #error: unknown;
  /** Answers to what was sent ahead, until they are asked for. */
  readonly #ahead = new Map<string, Promise<pg.QueryResult>>();
  isOver = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  get<T>(sql: string, ...values: readonly Value[]): Promise<T | undefined> {
    return this.all<T>(sql, ...values).then(([row]) => row);
  }

  async all<T>(sql: string, ...values: readonly Value[]): Promise<T[]> {
    return (await this.#ask(asked(sql, values))).rows as T[];
  }

  async allPlanned<T>(sql: string, ...values: readonly Value[]): Promise<T[]> {
    return (await this.#ask(planned(sql, values))).rows as T[];
  }

  async ids(sql: string, ...values: readonly Value[]): Promise<number[]> {
    return firsts(await this.all<Record<string, number>>(sql, ...values));
  }

  async run(sql: string, ...values: readonly Value[]): Promise<{ readonly changes: number }> {
    return { changes: (await this.#ask(asked(sql, values))).rowCount ?? 0 };
  }

  later(sql: string, ...values: readonly Value[]): void {
    const query = asked(sql, values);
    this.#taken(query) ?? void this.#unawaited(query);
  }

  readonly ahead = (sql: string, ...values: readonly Value[]): void => {
    const query = asked(sql, values);
    this.#ahead.set(keyOf(query), this.#unawaited(query));
  };

  /** Takes the first row of a statement without values that was sent ahead; undefined where none was, or it was taken before. */
  async taken<T>(sql: string): Promise<T | undefined> {
    return (await this.#taken(asked(sql, [])))?.rows[0] as T | undefined;
  }

  #taken(query: pg.QueryConfig): Promise<pg.QueryResult> | undefined {
    if (this.#ahead.size === 0) return undefined;
    const key = keyOf(query);
    const answer = this.#ahead.get(key);
    this.#ahead.delete(key);
    return answer;
  }

  /** Sends a statement whose error comes with the next awaited one. */
  #unawaited(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const answer = this.#send(query);
    answer.catch((error: unknown) => {
      this.#error ??= error;
    });
    return answer;
  }

  /** Several statements without values, as one. */
  async script(sql: string): Promise<void> {
    await this.#send({ text: sql });
  }

  /** Waits for what was sent; throws the first error of it. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined);
    if (this.#error !== undefined) throw this.#error;
  }

  /** Sends the commit; throws the first error of what was sent before it. */
  async commit(): Promise<pg.QueryResult> {
    const committed = this.#send({ text: "COMMIT" });
    await this.settled();
    return committed;
  }

  async #ask(query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await (this.#taken(query) ?? this.#send(query));
    } catch (error) {
      // The first failure caused the others.
      throw this.#error ?? error;
    }
  }

  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.isOver) return Promise.reject(new Error("a transaction was used after its end"));
    inOnePacket(this.#client);
    // The server answers in the order in which it was asked.
    const answer = this.#client.query(query);
    this.#last = answer;
    return answer;
  }
}

/** A prepared statement with its values. */
const keyOf = ({ name, values }: pg.QueryConfig): string => JSON.stringify([name, values]);

/** Holds back what is sent to a connection until this turn's work has nothing left to do: writing costs more than asking. */
function inOnePacket(client: pg.PoolClient): void {
  const { stream } = (client as pg.PoolClient & { readonly connection: { readonly stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const firsts = (rows: readonly Record<string, number>[]): number[] =>
  rows.map((row) => Object.values(row)[0] as number);
