import { storedNews } from "@chest/core/embedding";
import type { Call } from "@chest/core/executor";
import type { Clock, Store } from "@chest/core/ports";
import { Bm25 } from "@chest/core/recall";
import { KnownPlaces } from "@chest/store/database/places";
import { pendingCounts } from "@chest/store/embedding/lacking";
import { fileHistory } from "@chest/store/queries/file-history";
import { readingOf } from "./database/async-connection.ts";
import { Connection } from "./database/connection.ts";
import { sizeOf } from "./database/file-size.ts";
import { due, type Migration } from "./database/migrations.ts";
import { Writer } from "./database/write-queue.ts";
import { storeFor } from "./store.ts";
import { OpeningLock } from "./store-file/schema-lock.ts";
import type { Op, Requests } from "./threads/search-protocol.ts";
import { matchVector, packed } from "./vector-index/vector-search.ts";
import { matchWords } from "./word-search/match-words.ts";
import { WordIndex } from "./word-search/word-index.ts";
import { transactionsOf } from "./writing/transactions.ts";

export interface BriefOptions {
  readonly path: string;
  readonly mayWrite: boolean;
  /** Migrations of this release. */
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  /** Remaining time to wait for a lock. */
  readonly leftMs: () => number;
}

/** A store for a program that runs for a tenth of a second. */
export interface BriefStore {
  as(call: Call): Store;
  close(): Promise<void>;
}

/**
 * Opens an existing store of this release in this thread only. Words are searched, and vectors one by one while they
 * are few; nothing is created, migrated, checked or maintained. Undefined if there is none, or it must be migrated
 * first. Throws `CannotOpen` for a file that is no store, or one of a newer release.
 */
export async function openBriefly(options: BriefOptions): Promise<BriefStore | undefined> {
  const { path, mayWrite } = options;
  // Opening an empty file, even for reading, would delete the log beside it.
  if (sizeOf(path) === 0) return undefined;
  const lock = mayWrite ? new OpeningLock(path) : undefined;
  try {
    // The shared lock prevents schema changes. A reader sees one snapshot in any case.
    await lock?.share();
    const opened = open(options);
    if (!opened) lock?.release();
    return opened && { ...opened, close: () => opened.close().finally(() => lock?.release()) };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function open({ path, mayWrite, migrations, clock, leftMs }: BriefOptions): BriefStore | undefined {
  const opened = connect({ path, mayWrite, migrations, leftMs });
  if (!opened) return undefined;
  const { reader, writing } = opened;
  const writer = new Writer(writing);
  if (!mayWrite) writer.halt(new Error("the store was opened for reading"));
  const written = new KnownPlaces(readingOf(writing));
  const parts = {
    reader,
    writing,
    writer,
    transactions: transactionsOf({ writing, written, writer, clock }),
    clock,
    pool: { ask: askedInPassing(reader) },
    places: new KnownPlaces(readingOf(reader)),
    written,
    pending: pendingCounts(readingOf(reader)),
    doubtIndex: () => undefined,
    vectors: NO_VECTORS,
    accesses: NO_ACCESSES,
    shown: NO_ACCESSES,
    stored: storedNews(),
    thread: NO_THREAD,
  };
  return {
    as: (call) => storeFor(call, parts),
    async close() {
      await writer.close();
      reader.close();
      if (writing !== reader) writing.close();
    },
  };
}

function connect({ path, mayWrite, migrations, leftMs }: Omit<BriefOptions, "clock">) {
  const openingMs = () => Math.max(0, Math.floor(leftMs()));
  const reader = new Connection(path, { readonly: true, openingMs: openingMs() });
  try {
    if (due(reader.db, migrations, path).length === 0) {
      const writing = mayWrite ? new Connection(path, { busyTimeoutMs: 0, openingMs: openingMs() }) : reader;
      return { reader, writing };
    }
  } catch (error) {
    reader.close();
    throw error;
  }
  reader.close();
  return undefined;
}

/**
 * Rows from which frequent words are counted by a sample: for the one question of a process, reading 512 texts costs more than
 * counting does in a store of some size.
 */
const SAMPLED_FROM = 50_000;

/** Short queries run here, because a thread would take longer to start. */
function askedInPassing(connection: Connection) {
  const reading = readingOf(connection);
  const words = { connection, index: new WordIndex(connection, SAMPLED_FROM), ranking: new Bm25() };
  return async <K extends Op>(op: K, asks: Requests[K]["asks"]): Promise<Requests[K]["gives"]> => {
    if (op === "fileHistory") return fileHistory(reading, ...(asks as Requests["fileHistory"]["asks"])) as never;
    if (op === "vector") {
      const { vector, identity, where, spaces, limit } = asks as Requests["vector"]["asks"];
      const hits = matchVector({ connection, index: undefined }, vector, identity, where, spaces, limit);
      return (hits && packed(hits)) as Requests[K]["gives"];
    }
    if (op !== "words") throw new Error(`a store opened briefly does not answer \`${op}\``);
    const { units, where, spaces, limit } = asks as Requests["words"]["asks"];
    return matchWords(words, units, where, spaces, limit) as Requests[K]["gives"];
  };
}

const NO_THREAD = { ask: () => Promise.reject(new Error("a store opened briefly looks after nothing")) };
const NO_VECTORS = { tend: () => undefined };
// Memories that hooks show do not count as used.
const NO_ACCESSES = { note: () => undefined, noteTurns: () => undefined, flush: async () => undefined };
