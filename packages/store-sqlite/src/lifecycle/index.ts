import { chmodSync } from "node:fs";
import type { Clock, Lease, Lifecycle } from "@chest/core/ports";
import type { Transactions } from "@chest/store/database/transact";
import { lifecycleOver } from "@chest/store/lifecycle/index";
import type { Slices, SweepParts } from "@chest/store/lifecycle/sweeper";
import type { AccessBuffer } from "@chest/store/memories/access-buffer";
import Database from "better-sqlite3";
import { readingOf } from "../database/async-connection.ts";
import type { Connection, Reading } from "../database/connection.ts";
import { touchFile } from "../database/create-file.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import type { Writer } from "../database/write-queue.ts";
import { mergeIndex } from "../full-text/merge-segments.ts";
import { writePartsOf } from "../memories/write-parts.ts";
import type { Transaction } from "../writing/transaction.ts";
import type { LifecycleThread } from "./thread.ts";

// A call waits for at most one slice.
const TARGET_MS = 8;

/** Runs slices in the write queue with pauses, so that waiting calls go first. */
const slicesOf = ({ transact }: Transactions): Slices => ({
  targetMs: TARGET_MS,
  run: (options, work) =>
    transact(
      options,
      async (tx) => {
        const startedAt = busyMs();
        const ran = { value: await work(tx, () => busyMs() - startedAt), tookMs: 0 };
        // Runs after the text index has processed this slice.
        (tx as Transaction).index(() => {
          ran.tookMs = busyMs() - startedAt;
        });
        return ran;
      },
      { lane: "sweep" },
    ),
  pause: (tookMs) => new Promise((resolve) => setTimeout(resolve, Math.min(tookMs, 2 * TARGET_MS))),
});

/** CPU time of this thread in milliseconds: by wall time, every slice would look long on a busy machine. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export interface LifecycleParts {
  /** Connection that sees committed rows. */
  readonly reader: Reading;
  readonly writing: Connection;
  readonly transactions: Transactions;
  readonly thread: Pick<LifecycleThread, "ask">;
  readonly accesses: Pick<AccessBuffer, "flush">;
  readonly clock: Clock;
}

/** This engine's part in sweeps. */
export const sweepPartsOf = (parts: LifecycleParts): SweepParts => ({
  reader: readingOf(parts.reader),
  ask: (name, query) => parts.thread.ask(name, query),
  slices: slicesOf(parts.transactions),
  clock: parts.clock,
  writePartsOf: (tx) => writePartsOf(tx as Transaction, parts.writing),
  flushAccesses: () => parts.accesses.flush(),
});

/** Maintenance of the whole store. */
export const sqliteLifecycle = (
  parts: LifecycleParts & { readonly path: string; readonly writer: Writer },
): Lifecycle => ({
  ...lifecycleOver(
    { ...sweepPartsOf(parts), tidy: (signal) => mergeIndex(parts.writer, parts.writing, signal) },
    parts.transactions,
  ),
  lease: () => takeLease(parts.path),
});

/**
 * Locks a small SQLite file beside the store, so that one process at a time runs maintenance. The system releases the
 * lock when its holder dies, and it is never lost before.
 * @returns undefined while another process holds it.
 */
async function takeLease(storePath: string): Promise<Lease | undefined> {
  const path = `${storePath}.maintenance`;
  touchFile(path);
  chmodSync(path, 0o600);
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
  return {
    lost: new AbortController().signal,
    async release() {
      if (!db.open) return;
      db.exec("ROLLBACK");
      db.close();
    },
  };
}
