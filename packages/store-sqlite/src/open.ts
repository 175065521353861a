import { storedNews } from "@chest/core/embedding";
import {
  type Backups,
  type Clock,
  type EmbeddingIdentity,
  type Engine,
  type StoreHost,
  systemClock,
} from "@chest/core/ports";
import { answersOf } from "@chest/store/access/answers";
import { noteInBatches } from "@chest/store/access/noted-in-batches";
import { KnownPlaces } from "@chest/store/database/places";
import { keptCounts } from "@chest/store/embedding/cached-counts";
import { adoptIdentity as adoptIn, missingIdentity } from "@chest/store/embedding/identities";
import { booksOver } from "@chest/store/engine";
import Database from "better-sqlite3";
import { auditLog } from "./access/audit-log.ts";
import { bearerReads } from "./access/bearers.ts";
import { joinSpellings } from "./access/normalize-project-keys.ts";
import { keepCopy } from "./backups/make.ts";
import { backupsOf } from "./backups/of-engine.ts";
import { readingOf, SQLITE, statementsOf } from "./database/async-connection.ts";
import { committed } from "./database/committed-reads.ts";
import { Connection } from "./database/connection.ts";
import { copyStore } from "./database/copy-database.ts";
import { closeToOthers, prepareFile } from "./database/create-file.ts";
import { hasLog } from "./database/file-size.ts";
import { appliedTo, apply, due, type Migration, readEarlier, readMigrations, steps } from "./database/migrations.ts";
import { recordForPrisma } from "./database/prisma-record.ts";
import type { StoreLog } from "./database/store-log.ts";
import { Writer } from "./database/write-queue.ts";
import { resegment } from "./full-text/retokenize.ts";
import { storeHost } from "./host.ts";
import { inspection } from "./inspection.ts";
import { IndexMender } from "./integrity/fts-repair.ts";
import { checkIntegrity, type FileIntegrity, isCheckedFirst } from "./integrity/integrity-check.ts";
import { monitorIntegrity } from "./integrity/integrity-monitor.ts";
import { sqliteLifecycle } from "./lifecycle/index.ts";
import { LifecycleThread } from "./lifecycle/thread.ts";
import { accessWrites } from "./memories/access-writes.ts";
import { cleanFile } from "./purge/clean-file.ts";
import { FORMER_PLACES, visitTexts } from "./purge/stored-texts.ts";
import { storeFor, storeOfAll } from "./store.ts";
import { noteClosed, takeClosed } from "./store-file/clean-shutdown-marker.ts";
import { openable } from "./store-file/explain-open-error.ts";
import { keepInPlace } from "./store-file/file-replaced-guard.ts";
import { assertNotLost, backupsBeside } from "./store-file/missing-store-guard.ts";
import { OpeningLock } from "./store-file/schema-lock.ts";
import { InlineSearch } from "./threads/inline-search.ts";
import { SearchPool } from "./threads/search-pool.ts";
import { VectorIndexHost } from "./threads/vector-index-loader.ts";
import { transactionsOf } from "./writing/transactions.ts";

export interface SqliteOptions {
  readonly path: string;
  readonly synchronous?: "FULL" | "NORMAL" | undefined;
  /** Search threads; 0 searches on the event loop, for stores that are opened briefly. */
  readonly searchThreads?: number | undefined;
  readonly searchTimeoutMs?: number | undefined;
  /** Rows to rank by words before further terms are skipped; for measuring the loss. */
  readonly rankedRows?: number | undefined;
  /** Number of visible rows above which a sample estimates the frequency of terms; 4,096 by default. */
  readonly sampledFrom?: number | undefined;
  /** Folder for copies made before a migration. */
  readonly backupDir?: string | undefined;
  readonly accessFlushMs?: number | undefined;
  /** Time that a write waits for the check of a large file before the caller is told to retry; 4 s by default. */
  readonly writePatienceMs?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Embedding identity of a store without vectors; that of the default model by default. */
  readonly active?: EmbeddingIdentity | undefined;
  readonly migrations?: readonly Migration[] | undefined;
  readonly log?: StoreLog | undefined;
}

/** Engine of a store file, with its functions beyond the port. */
export interface SqliteEngine extends Engine {
  readonly backups: Backups;
  readonly host: StoreHost;
}

const SILENT: StoreLog = { info: () => undefined, warn: () => undefined };
const MIGRATION_BUSY_MS = 30_000;

/** Opens a store: creates or migrates its file. Throws `CannotOpen` with a hint if that fails. */
export async function openSqliteEngine(options: SqliteOptions): Promise<SqliteEngine> {
  const { clock = systemClock, log = SILENT } = options;
  const opened = await openForWriting(options);
  const { engine, isReady } = assemble(opened, { ...options, clock, log });
  try {
    // The first check of the index reads rows, which may be damaged.
    await openable(options.path, backupDirOf(options), () => isReady);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return engine;
}

/** Handles that every writing process holds. */
export interface Opened {
  /** The only writing connection. */
  readonly writing: Connection;
  /** Shared lock that this process holds while the store is open. */
  readonly lock: OpeningLock;
  /** Neither this process nor another one has checked the file. */
  readonly isUnseen: boolean;
  /** The file has been checked, or was closed cleanly. */
  readonly isTrusted: boolean;
  /** A check found everything but the text index sound. */
  readonly isWithoutIndex: boolean;
}

export async function openForWriting(options: SqliteOptions): Promise<Opened> {
  const { path, synchronous = "FULL", log = SILENT } = options;
  const backupDir = backupDirOf(options);
  assertNotLost(path, backupDir);
  prepareFile(path);
  // Checks with a read-only connection before any change, so that foreign files stay untouched.
  const attempt = <T>(work: () => T | Promise<T>) => openable(path, backupDir, work);
  await attempt(() => isMigrationDue(options));
  const seen = new Set<FileIntegrity>();
  await attempt(() => isCheckedFirst(path) && seen.add(checkIntegrity(path)));
  closeToOthers(path);
  const lock = await attempt(() => new OpeningLock(path));
  try {
    let [isUnseen, isTrusted] = [false, false];
    const isAfterCrash = hasLog(path);
    await attempt(() =>
      lock.ifAlone(() => {
        isUnseen = !isCheckedFirst(path, isAfterCrash);
        if (isAfterCrash && !isUnseen) seen.add(checkIntegrity(path));
        isTrusted = takeClosed(path) || !isUnseen;
      }),
    );
    await attempt(() => migrateIfDue(lock, options, log));
    await lock.share();
    await attempt(() => adoptIdentity(path, options.active));
    const isIndexed = !seen.has("without index");
    const respelled = await attempt(() => joinSpellings(path, { isIndexed }));
    if (respelled > 0) log.info({ projects: respelled }, "keys of projects were written in their one spelling");
    const writing = await attempt(() => new Connection(path, { synchronous, busyTimeoutMs: 0, isLongLived: true }));
    await recordForPrisma(writing, () => [...readEarlier(), ...(options.migrations ?? readMigrations())], log);
    return { writing, lock, isUnseen, isTrusted, isWithoutIndex: !isIndexed };
  } catch (error) {
    lock.release();
    throw error;
  }
}

const backupDirOf = ({ path, backupDir = backupsBeside(path) }: SqliteOptions): string => backupDir;

function isMigrationDue({ path, migrations = readMigrations() }: SqliteOptions): boolean {
  const db = new Database(path, { readonly: true, timeout: MIGRATION_BUSY_MS });
  try {
    return due(db, migrations, path).length > 0;
  } finally {
    db.close();
  }
}

async function migrateIfDue(lock: OpeningLock, options: SqliteOptions, log: StoreLog): Promise<void> {
  const { path, migrations = readMigrations() } = options;
  const folder = backupDirOf(options);
  const isDue = () => isMigrationDue(options);
  await lock.exclusively(isDue, async () => {
    const db = new Database(path, { timeout: MIGRATION_BUSY_MS });
    try {
      const todo = steps(db, migrations, path);
      db.pragma("journal_mode = WAL");
      db.pragma("secure_delete = ON");
      if (appliedTo(db).length > 0) {
        const reason = `before-${todo[0]?.name ?? "migration"}`;
        const { path: file, rows } = await keepCopy((to) => copyStore(db, to), { path, folder, reason });
        log.info({ file, rows: rows.memories ?? 0 }, "backed up before migrating");
      }
      apply(db, todo);
      log.info({ migrations: todo.map(({ name }) => name) }, "migrated");
    } finally {
      db.close();
    }
  });
}

/** Call for work of this process, without a member. */
type Assembled = SqliteOptions & { readonly clock: Clock; readonly log: StoreLog };

function assemble(
  opened: Opened,
  options: Assembled,
): { readonly engine: SqliteEngine; readonly isReady: Promise<void> } {
  const { path, clock, log } = options;
  const { writing, isUnseen, isWithoutIndex } = opened;
  const parts = partsOf(opened, options);
  const { raw: reader, writer, pool, mender, noted, place, transactions } = parts;
  const backupDir = backupDirOf(options);
  let closing: Promise<void> | undefined;
  const resegmenting = resegment(writer, writing, () => closing !== undefined)
    .then((rows) => rows > 0 && log.info({ rows }, "text rows of another version were rebuilt"))
    .catch((error: unknown) => log.warn({ err: error }, "text rows of another version could not be rebuilt"));
  const isReady = isWithoutIndex ? mender.mend() : mender.check(!isUnseen);

  const engine: SqliteEngine = {
    as: (call) => storeFor(call, parts),
    ...booksOver({
      reader: readingOf(reader),
      transactions,
      clock,
      uses: noted.uses,
      bearers: bearerReads(reader),
      answers: answersOf(),
      audit: auditLog(pool, reader, noted.refusals),
      purging: {
        isAnswerAbout: SQLITE.isOneOf("json_extract(answer, '$.memory_id')"),
        places: FORMER_PLACES,
        visit: (look) => visitTexts(reader, look),
        clean: (uids) => cleanFile({ path, writing, writer, backupDir }, uids),
      },
      storeOfAll: (call) => storeOfAll(call, parts),
      stored: parts.stored,
    }),
    inspect: inspection({ path, reader, writer, pool }),
    backups: backupsOf({ path, folder: backupDir, assertInPlace: place.assert, examine: mender.examine }),
    host: storeHost({ path, backupDir, reader, writer, pool }),
    lifecycle: sqliteLifecycle({ ...parts, reader, path }),
    close: () => {
      closing ??= end(parts, opened, path, resegmenting);
      return closing;
    },
  };
  return { engine, isReady };
}

/** Builds all parts of an engine, which its close must end. */
function partsOf({ writing, isUnseen, isTrusted }: Opened, options: Assembled) {
  const { path, clock, log, searchThreads = 1, searchTimeoutMs: timeoutMs = 2000 } = options;
  const { accessFlushMs: everyMs = 5000, writePatienceMs: patienceMs = 4000 } = options;
  const raw = new Connection(path, { readonly: true, isLongLived: true });
  const reader = committed(raw, writing);
  const writer = new Writer(writing);
  const written = new KnownPlaces(readingOf(writing));
  const transactions = transactionsOf({ writing, written, writer, clock });
  const place = keepInPlace({ path, writing, writer, log });
  const vectors = new VectorIndexHost({ path, reader: raw, log });
  const { rankedRows, sampledFrom } = options;
  const searching = { path, threads: searchThreads, timeoutMs, vectors, rankedRows, sampledFrom };
  const pool = searchThreads === 0 ? new InlineSearch(searching) : new SearchPool(searching);
  const noted = noteInBatches({ transactions, accessWrites: accessWrites(writer, writing), clock, log, everyMs });
  const onDamage = (damage: string) => soundness.judge(damage);
  const mender = new IndexMender({ path, reader: raw, writing, writer, log, onDamage });
  writer.onIndexTrouble = mender.doubt;
  const onIndexDamaged = () => void mender.mend();
  const soundness = monitorIntegrity({ path, isUnseen, isTrusted, writer, log, patienceMs, onIndexDamaged });
  return {
    raw,
    reader,
    writing,
    writer,
    place,
    vectors,
    pool,
    mender,
    soundness,
    doubtIndex: mender.doubt,
    places: new KnownPlaces(readingOf(reader)),
    written,
    transactions,
    pending: keptCounts(readingOf(reader), { count: (spaces, lacking) => pool.ask("pending", { spaces, lacking }) }),
    accesses: noted.accesses,
    shown: noted.shown,
    noted,
    thread: new LifecycleThread(path),
    clock,
    stored: storedNews(),
  };
}

async function end(
  { raw, writing, writer, place, vectors, pool, mender, soundness, noted, thread }: EngineParts,
  { lock }: Opened,
  path: string,
  resegmenting: Promise<unknown>,
): Promise<void> {
  soundness.stop();
  await Promise.all([resegmenting, mender.close()]);
  await Promise.all([noted.close(), thread.close()]);
  await writer.close();
  const isClosedWell = soundness.isSound() && place.isKept();
  await Promise.all([pool.close(), vectors.close()]);
  raw.close();
  writing.close();
  if (isClosedWell) lock.ifLast(() => noteClosed(path));
  lock.release();
}

type EngineParts = ReturnType<typeof partsOf>;

const OPENING_BUSY_MS = 30_000;

/** Sets the store's embedding identity before it is opened. */
async function adoptIdentity(path: string, input: EmbeddingIdentity | undefined): Promise<void> {
  const connection = new Connection(path, { busyTimeoutMs: OPENING_BUSY_MS });
  const statements = statementsOf(connection);
  try {
    // Usually nothing has to be written.
    if (!(await missingIdentity(statements, input))) return;
    connection.run("BEGIN IMMEDIATE");
    await adoptIn(statements, input);
    connection.run("COMMIT");
  } finally {
    // Closing rolls back an uncommitted transaction.
    connection.close();
  }
}
