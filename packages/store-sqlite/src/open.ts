import { dirname, join } from "node:path";
import {
  type Call,
  type Clock,
  type EmbeddingIdentity,
  type Engine,
  localCaller,
  pendingQueue,
  storedNews,
  systemClock,
} from "@chest/core";
import Database from "better-sqlite3";
import { accessBook } from "./access-book.ts";
import { AccessLog } from "./access-log.ts";
import { backUp } from "./backup.ts";
import { Connection } from "./connection.ts";
import { CannotOpen, sqliteCode } from "./errors.ts";
import { adoptIdentity, identityBook } from "./identities.ts";
import { apply, due, type Migration, readMigrations } from "./migrate.ts";
import { OpeningLock } from "./opening-lock.ts";
import { inspection, OperatorReads } from "./operator.ts";
import type { PendingCounts } from "./pending.ts";
import { closeToOthers, prepareFile } from "./prepare-file.ts";
import { SearchPool } from "./search/pool.ts";
import { Projects } from "./standing.ts";
import { storeFor, storeOfAll } from "./store.ts";
import { TokenUses } from "./token-uses.ts";
import { VectorIndexHost } from "./vector-index/host.ts";
import { Writer } from "./writer.ts";

export interface SqliteOptions {
  readonly path: string;
  readonly synchronous?: "FULL" | "NORMAL" | undefined;
  readonly searchThreads?: number | undefined;
  readonly searchTimeoutMs?: number | undefined;
  /** Where copies go that are made before a migration. */
  readonly backupDir?: string | undefined;
  readonly accessFlushMs?: number | undefined;
  readonly clock?: Clock | undefined;
  /** The embedding identity of a store that has no vectors yet; the default model's by default. */
  readonly active?: EmbeddingIdentity | undefined;
  readonly migrations?: readonly Migration[] | undefined;
  readonly log?: StoreLog | undefined;
}

export interface StoreLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

const SILENT: StoreLog = { info: () => undefined, warn: () => undefined };
const MIGRATION_BUSY_MS = 30_000;

/** Opens a store: makes or migrates its file, and throws `CannotOpen` with the way out where that cannot be. */
export async function openSqliteEngine(options: SqliteOptions): Promise<Engine> {
  const { path, synchronous = "FULL", clock = systemClock, log = SILENT } = options;
  prepareFile(path);
  // Before anything is changed, and with a connection that cannot: what is not ours stays as it is.
  await openable(path, () => isMigrationDue(options));
  closeToOthers(path);
  const lock = await openable(path, () => new OpeningLock(path));
  try {
    await openable(path, () => migrateIfDue(lock, options, log));
    await lock.share();
    await openable(path, () => adoptIdentity(path, options.active));
    const writing = await openable(path, () => new Connection(path, { synchronous, busyTimeoutMs: 0 }));
    return assemble(path, writing, lock, { ...options, clock, log });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function isMigrationDue({ path, migrations = readMigrations() }: SqliteOptions): boolean {
  const db = new Database(path, { readonly: true, timeout: MIGRATION_BUSY_MS });
  try {
    return due(db, migrations, path).length > 0;
  } finally {
    db.close();
  }
}

async function migrateIfDue(lock: OpeningLock, options: SqliteOptions, log: StoreLog): Promise<void> {
  const { path, migrations = readMigrations(), backupDir = join(dirname(path), "backups") } = options;
  const isDue = () => isMigrationDue(options);
  await lock.exclusively(isDue, async () => {
    const db = new Database(path, { timeout: MIGRATION_BUSY_MS });
    try {
      db.pragma("journal_mode = WAL");
      db.pragma("secure_delete = ON");
      const todo = due(db, migrations, path);
      if (todo.length < migrations.length) {
        const copy = await backUp(db, backupDir, `before-${todo[0]?.name ?? "migration"}`);
        log.info({ file: copy.file, rows: copy.rows }, "backed up before migrating");
      }
      apply(db, todo);
      log.info({ migrations: todo.map(({ name }) => name) }, "migrated");
    } finally {
      db.close();
    }
  });
}

/** What this process does by itself, in nobody's name. */
const OWN_WORK = (): Call => ({
  caller: localCaller(undefined, { name: "chest", version: "embedder" }),
  requestId: "own",
  signal: new AbortController().signal,
});

function assemble(
  path: string,
  writing: Connection,
  lock: OpeningLock,
  {
    clock,
    log,
    searchThreads = 1,
    searchTimeoutMs = 2000,
    accessFlushMs = 5000,
  }: SqliteOptions & { readonly clock: Clock; readonly log: StoreLog },
): Engine {
  const reader = new Connection(path, { readonly: true });
  const writer = new Writer(writing);
  const vectors = new VectorIndexHost({ path, reader, log });
  const pool = new SearchPool({ path, threads: searchThreads, timeoutMs: searchTimeoutMs, vectors });
  const onError = (error: unknown) => log.warn({ err: error }, "accesses could not be written and are lost");
  const accessLog = new AccessLog({ writer, connection: writing, clock, everyMs: accessFlushMs, onError });
  const operator = new OperatorReads(path);
  const uses = new TokenUses({ writer, connection: writing, clock });
  const flushing = setInterval(() => void uses.flush().catch(onError), accessFlushMs).unref();
  const pending = kept({ count: (spaces, lacking) => pool.ask("pending", { spaces, lacking }) });
  const parts = {
    reader,
    writing,
    writer,
    pool,
    vectors,
    projects: new Projects(reader),
    written: new Projects(writing),
    pending,
    accessLog,
    clock,
    stored: storedNews(),
  };
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    clearInterval(flushing);
    await Promise.all([accessLog.close(), uses.flush().catch(onError)]);
    await writer.close();
    await Promise.all([pool.close(), vectors.close(), operator.close()]);
    reader.close();
    writing.close();
    lock.release();
  }

  return {
    as: (call) => storeFor(call, parts),
    access: accessBook({ ...parts, uses }),
    identities: identityBook(parts),
    pending: pendingQueue(storeOfAll(OWN_WORK(), parts), clock),
    inspect: inspection({ path, reads: operator, reader, writer, pool }),
    onVectorsStored: parts.stored.listen,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

// A count of what waits is a hint, and walks an index as long as the backlog: it serves for this many times as long as
// it took, so that however long the backlog is, counting it takes a small share of a thread.
const SERVES_TIMES = 50;
const SERVES_AT_MOST_MS = 2000;
const MAX_KEPT_COUNTS = 1000;

function kept(counts: PendingCounts): PendingCounts {
  const recent = new Map<string, { readonly until: number; readonly count: number }>();
  return {
    async count(spaces, lacking) {
      const key = JSON.stringify([spaces, lacking]);
      const startedAt = performance.now();
      const last = recent.get(key);
      if (last && startedAt < last.until) return last.count;
      const count = await counts.count(spaces, lacking);
      const endedAt = performance.now();
      if (recent.size >= MAX_KEPT_COUNTS) recent.clear();
      recent.set(key, { until: endedAt + Math.min(SERVES_TIMES * (endedAt - startedAt), SERVES_AT_MOST_MS), count });
      return count;
    },
  };
}

/** What the file itself refuses, in words that its owner can act on. Nothing is deleted or renamed. */
async function openable<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = sqliteCode(error) ?? sqliteCode(error instanceof Error ? error.cause : undefined);
    if (code === undefined || error instanceof CannotOpen) throw error;
    if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")) {
      throw new CannotOpen(
        `${path} is damaged, or no SQLite database (${code})`,
        "put a backup in its place; the file was not changed",
        error,
      );
    }
    if (code.startsWith("SQLITE_FULL"))
      throw new CannotOpen(`the disk under ${path} is full`, "free some space and start again", error);
    throw new CannotOpen(
      `${path} cannot be opened for writing (${code})`,
      "look at the permissions and the mount of its folder",
      error,
    );
  }
}
