import { setTimeout as sleep } from "node:timers/promises";
import { WIRE_VERSION } from "@chest/contracts";
import { storedNews } from "@chest/core/embedding";
import { CannotOpen, type Clock, type EmbeddingIdentity, type Engine, systemClock } from "@chest/core/ports";
import { Fingerprints } from "@chest/core/statements";
import { noteInBatches } from "@chest/store/access/noted-in-batches";
import { addSpellings, missingSpellings } from "@chest/store/access/spellings";
import { KnownPlaces } from "@chest/store/database/places";
import { adoptIdentity } from "@chest/store/embedding/identities";
import { booksOver } from "@chest/store/engine";
import { auditLog } from "./access/audit-log.ts";
import { bearerReads } from "./access/bearers.ts";
import { Connections } from "./database/connection.ts";
import { POSTGRES } from "./database/dialect.ts";
import { codeOf, isLostConnection, messageOf } from "./database/errors.ts";
import { due, migrate, readMigrations } from "./database/migrations.ts";
import { databaseServer } from "./database/server-facts.ts";
import { DatabaseSignals } from "./database/signals.ts";
import { readDatabaseUrl } from "./database/url.ts";
import { Writer } from "./database/write.ts";
import { inspection } from "./inspection.ts";
import { postgresLifecycle } from "./lifecycle/index.ts";
import { MaintenanceLease } from "./lifecycle/lease.ts";
import { accessWrites } from "./memories/access-writes.ts";
import { ANSWERS } from "./memories/answers.ts";
import { KnownEntities } from "./memories/foresee.ts";
import { ComparedRows } from "./memories/near-pairs.ts";
import { RunningWork } from "./memories/running-work.ts";
import { cleanTables } from "./purge/clean-tables.ts";
import { visitTexts } from "./purge/stored-texts.ts";
import { vectorSearch } from "./search/match-vector.ts";
import { VectorIndexes } from "./search/vector-indexes.ts";
import { sharedCensus } from "./shared-census.ts";
import { storeFor, storeOfAll } from "./store.ts";
import { transactionsOf } from "./writing/transactions.ts";

/** Messages for the operator: counts and names, never content. */
export interface StoreLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface DatabaseOptions {
  /** `postgres://user@host/database`. */
  readonly url: string;
  readonly password?: string | undefined;
  readonly caFile?: string | undefined;
}

export interface PostgresOptions extends DatabaseOptions {
  /** Most connections of this process. */
  readonly pool?: number | undefined;
  readonly searchTimeoutMs?: number | undefined;
  /** Number of rows that a word search ranks before further terms are skipped; 20,000 by default. */
  readonly rankedRows?: number | undefined;
  /** Number of reachable memories above which the vector index is used; 20,000 by default. */
  readonly exactUpTo?: number | undefined;
  /** Interval between checks for a missing vector index; one minute by default. */
  readonly lookEveryMs?: number | undefined;
  readonly accessFlushMs?: number | undefined;
  /** Time that a write waits for its turn before the caller is told to retry; 5 s by default. */
  readonly writePatienceMs?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Embedding identity of a store without vectors; that of the default model by default. */
  readonly active?: EmbeddingIdentity | undefined;
  readonly log?: StoreLog | undefined;
  /** Role with row policies, which also limit a caller's reads to the spaces that it may open. */
  readonly boundRole?: string | undefined;
}

const SILENT: StoreLog = { info: () => undefined, warn: () => undefined };
const POOL = 16;
const SEARCH_TIMEOUT_MS = 2000;
/** Longer than the server's own limit, so that its error arrives first. */
const FROZEN_AFTER_MS = 3000;
// A plan of maintenance reads a whole table.
const STATEMENT_TIMEOUT_MS = 60_000;

/** Connections of one backend. */
export interface Pools {
  readonly reader: Connections;
  readonly searcher: Connections;
  close(): Promise<void>;
}

export function openPools(options: PostgresOptions): Pools {
  const { pool = POOL, searchTimeoutMs = SEARCH_TIMEOUT_MS } = options;
  const searches = Math.max(1, Math.floor(pool / 4));
  const common = { ...commonOf(options), role: options.boundRole };
  const reader = new Connections({ ...common, most: pool - searches, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const searcher = new Connections({
    ...common,
    most: searches,
    statementTimeoutMs: searchTimeoutMs,
    frozenAfterMs: searchTimeoutMs + FROZEN_AFTER_MS,
  });
  return {
    reader,
    searcher,
    async close() {
      await Promise.all([reader.close(), searcher.close()]);
    },
  };
}

const commonOf = ({ url, caFile, password }: DatabaseOptions) => ({
  url: readDatabaseUrl(url).url,
  name: `chest/${WIRE_VERSION}`,
  caFile,
  password,
});

/** Opens a store in a database: creates or migrates its tables. Throws `CannotOpen` with a hint if that fails. */
export async function openPostgresEngine(options: PostgresOptions): Promise<Engine> {
  return openOver(openPools(options), options);
}

/** Opens a store over existing connections, which the engine closes. */
export async function openOver(pools: Pools, options: PostgresOptions): Promise<Engine> {
  const { clock = systemClock, log = SILENT, accessFlushMs = 5000, pool = POOL } = options;
  const { reader, searcher } = pools;
  const { shownUrl } = readDatabaseUrl(options.url);
  // At most half of the connections write, so that reads continue while writes wait for each other.
  const writer = new Writer(reader, Math.max(1, Math.floor(pool / 2)), options.writePatienceMs);
  try {
    await untilStarted(reader, log);
    await assertServer(reader);
    await assertPooling(reader, log);
    const applied = await migrate(reader, undefined, (...told) => log.warn(...told));
    if (applied.length > 0) log.info({ migrations: applied }, "migrated");
    await assertWhole(reader);
    await writer.write((tx) => adoptIdentity(tx, options.active));
    if ((await missingSpellings(reader)).length > 0) await writer.write(addSpellings);
  } catch (error) {
    await pools.close();
    throw explained(error, shownUrl);
  }

  const transactions = transactionsOf(writer, clock);
  const noted = noteInBatches({
    transactions,
    accessWrites: accessWrites(writer),
    clock,
    log,
    everyMs: accessFlushMs,
  });
  const lease = new MaintenanceLease(writer);
  const stored = storedNews();
  const signals = new DatabaseSignals(reader);
  const places = new KnownPlaces(reader);
  const running = new RunningWork(reader, writer);
  const indexes = new VectorIndexes({
    ...options,
    connection: commonOf(options),
    reader,
    warn: (...told) => log.warn(...told),
  });
  const parts = {
    reader,
    searcher,
    matchVector: vectorSearch(searcher, indexes),
    isBound: options.boundRole !== undefined,
    writer,
    transactions,
    places,
    accesses: noted.accesses,
    shown: noted.shown,
    running,
    clock,
    changed: signals.changed,
    stored,
    fingerprints: new Fingerprints(),
    entities: new KnownEntities(),
    members: new Set<number>(),
    pendingCounts: new Map(),
    comparedRows: new ComparedRows(),
    rankedRows: options.rankedRows,
  };
  let closing: Promise<void> | undefined;
  const end = async () => {
    await noted.close();
    await Promise.all([lease.close(), signals.close(), indexes.close()]);
    await pools.close();
  };
  return {
    as: (call) => storeFor(call, parts),
    ...booksOver({
      reader,
      transactions,
      clock,
      uses: noted.uses,
      bearers: bearerReads(reader),
      answers: ANSWERS,
      audit: auditLog(reader, noted.refusals),
      purging: {
        isAnswerAbout: POSTGRES.isOneOf("memory_id"),
        visit: (look) => visitTexts(reader, look),
        clean: () => cleanTables(reader),
      },
      storeOfAll: (call) => storeOfAll(call, parts),
      stored,
    }),
    inspect: inspection({ reader, searcher, writer, shownUrl }),
    lifecycle: postgresLifecycle(parts, lease),
    signals,
    server: {
      ...databaseServer({ reader, searcher, writer }),
      counted: sharedCensus(reader, (...told) => log.warn(...told)),
    },
    close: () => {
      closing ??= end();
      return closing;
    },
  };
}

/** Runs work over a few connections; errors contain a hint, and no password. */
export async function withConnections<T>(
  { url: given, password, caFile, statementTimeoutMs }: DatabaseOptions & { readonly statementTimeoutMs: number },
  work: (connections: Connections) => Promise<T>,
): Promise<T> {
  const { url, shownUrl } = readDatabaseUrl(given);
  const name = `chest-index/${WIRE_VERSION}`;
  const connections = new Connections({ url, password, caFile, name, most: 2, statementTimeoutMs });
  try {
    return await work(connections);
  } catch (error) {
    throw explained(error, shownUrl);
  } finally {
    await connections.close();
  }
}

/** Refuses a database that this release would have to migrate first. */
export async function assertCurrent(reader: Connections): Promise<void> {
  const [missing] = await due(reader, readMigrations());
  if (missing)
    throw new CannotOpen(
      `the database holds no store of this release yet: it lacks ${missing.name}`,
      "start a backend of this release once, or import into it",
    );
}

/** Refuses a store whose move is unfinished. */
export async function assertWhole(reader: Connections): Promise<void> {
  if (await reader.get("SELECT 1 FROM meta WHERE key = ?", MOVING))
    throw new CannotOpen(
      "a store is being moved into this database, and the move is not complete",
      "finish it with `chest-index migrate-store`",
    );
}

const STARTING_UP = "57P03";
const STARTS_WITHIN_MS = 120_000;
const LOOK_AGAIN_MS = 500;

/** Waits for a server that is starting or recovering: it accepts connections only later. */
async function untilStarted(reader: Pick<Connections, "get">, log: StoreLog): Promise<void> {
  const endsAt = performance.now() + STARTS_WITHIN_MS;
  for (let tries = 0; ; tries++) {
    try {
      await reader.get("SELECT 1");
      return;
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      if (codeOf(cause) !== STARTING_UP || performance.now() > endsAt) throw error;
      if (tries === 0) log.info({ code: STARTING_UP }, "the database is starting up: waiting for it");
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

const OLDEST_SERVER = 150_000;

/** Key in `meta` for the progress of an unfinished move. */
export const MOVING = "moving";

interface Server {
  readonly version: number;
  readonly shown: string;
  readonly encoding: string;
  readonly vector: string | null;
  readonly is_replica: boolean;
  readonly is_read_only: boolean;
}

const SERVER = `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS shown,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_replica,
    current_setting('default_transaction_read_only') = 'on' AS is_read_only,
    (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS vector`;

export async function assertServer(reader: Pick<Connections, "get">): Promise<void> {
  const server = await reader.get<Server>(SERVER);
  if (!server) throw new Error("the server says nothing of itself");
  if (server.version < OLDEST_SERVER)
    throw new CannotOpen(`the server is PostgreSQL ${server.shown}`, "PostgreSQL 15 or newer is needed");
  if (server.encoding !== "UTF8")
    throw new CannotOpen(`the database is encoded in ${server.encoding}`, "make a database in UTF8");
  if (server.is_replica)
    throw new CannotOpen("the server is a replica: it accepts no writes", "name the primary in CHEST_DATABASE_URL");
  if (server.is_read_only)
    throw new CannotOpen(
      "the database is read only for this user: it accepts no writes",
      "name a user and a database without `default_transaction_read_only`",
    );
  const [major = 0, minor = 0] = (server.vector ?? "0").split(".").map(Number);
  if (server.vector === null)
    throw new CannotOpen("the server lacks the extension `vector`", "install pgvector 0.7 or newer on it");
  if (major === 0 && minor < 7)
    throw new CannotOpen(`the server has pgvector ${server.vector}`, "pgvector 0.7 or newer is needed");
}

/** Refuses a pooler without prepared statements, and warns of missing features. */
async function assertPooling(reader: Pick<Connections, "get" | "lending">, log: StoreLog): Promise<void> {
  const lending = await reader.lending();
  if (lending === "forgetful")
    throw new CannotOpen(
      "a pooler in transaction mode is in between, and forgets prepared statements",
      "in PgBouncer 1.21 or newer set `max_prepared_statements = 200`, else `pool_mode = session`; or name the server itself",
    );
  if (lending === "transaction")
    log.warn(
      { pooling: lending },
      "notifications do not come through the pooler: streams look for news each second, and a question to the user at /mcp is answered only at the backend that asked it",
    );
  const limit = await reader.get<{ is_none: boolean }>(
    "SELECT current_setting('statement_timeout') IN ('0', '0ms') AS is_none",
  );
  if (limit?.is_none)
    log.warn(
      { pooling: lending },
      "the pooler drops the limits of a session: set statement_timeout, lock_timeout and idle_in_transaction_session_timeout for the user, by ALTER ROLE",
    );
}

// Certificate error codes of Node.
const TLS = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/;

/** Reason why a database cannot be opened, without its password. */
function explained(error: unknown, shownUrl: string): unknown {
  if (error instanceof CannotOpen) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = codeOf(cause);
  if (code === "28P01" || code === "28000")
    return new CannotOpen(
      `${shownUrl} refuses this user or password`,
      "set CHEST_DATABASE_PASSWORD_FILE or the user in the URL",
      error,
    );
  if (code === "25006")
    return new CannotOpen(
      `${shownUrl} accepts no writes: it is read only`,
      "name the primary, and a user and database without `default_transaction_read_only`",
      error,
    );
  if (code === "53300" || code === "57P03")
    return new CannotOpen(
      `${shownUrl} accepts no more connections (${code})`,
      "raise its `max_connections`, lower CHEST_DATABASE_POOL, or wait until it has started",
      error,
    );
  if (TLS.test(code ?? "") || /does not support SSL/.test(messageOf(cause)))
    return new CannotOpen(
      `${shownUrl}: the server's certificate does not verify (${code ?? "it offers no TLS"})`,
      "name its authority's file in CHEST_DATABASE_CA; the host in the URL is the one that the certificate names",
      error,
    );
  if (code === "08P01" && /statement pooling/.test(messageOf(cause)))
    return new CannotOpen(
      `${shownUrl} allows no transactions: a pooler in statement mode is in between`,
      "in PgBouncer set `pool_mode = session`, or `transaction`",
      error,
    );
  if (code === "08P01" && /wait_timeout/.test(messageOf(cause)))
    return new CannotOpen(
      `${shownUrl}: the pooler has no connection to lend`,
      "raise its `default_pool_size` to the sum of CHEST_DATABASE_POOL over all backends",
      error,
    );
  if (code === "08P01")
    return new CannotOpen(
      `${shownUrl} refuses the settings of a session (08P01)`,
      "behind PgBouncer set `ignore_startup_parameters = options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout`",
      error,
    );
  if (code === "3D000") return new CannotOpen(`${shownUrl}: there is no such database`, "create it, in UTF8", error);
  if (code === "42501")
    return new CannotOpen(
      `${shownUrl}: this user may not create tables or the extension`,
      "let it own the database",
      error,
    );
  if (cause !== undefined && isLostConnection(cause))
    return new CannotOpen(
      `${shownUrl} does not answer${code === undefined ? "" : ` (${code})`}`,
      "check host, port and network",
      error,
    );
  return error;
}
