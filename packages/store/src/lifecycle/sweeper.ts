import type { Caller, Member, Space } from "@chest/core/access";
import type { Clock, Doing, MemoryRows, MemoryWrites, PassName, Plan } from "@chest/core/ports";
import type { Reading, Statements } from "../database/connection.ts";
import type { Transaction, TransactionOptions } from "../database/transaction.ts";
import { memoryWrites } from "../memories/memory-writes.ts";
import { readsWithin, type WriteParts } from "../store.ts";
import type { AskDue } from "./due.ts";

/** Runs slices of a sweep at an engine's pace. */
export interface Slices {
  /** Target length of a slice, because others wait for it. */
  readonly targetMs: number;
  /** Runs work in its own transaction, and passes it a function for the time that others have waited. */
  run<T>(
    options: Omit<TransactionOptions, "now">,
    work: (tx: Transaction, tookMs: () => number) => Promise<T>,
  ): Promise<{ readonly value: T; readonly tookMs: number }>;
  /** Pauses so that others go first. */
  pause(tookMs: number): Promise<void>;
}

/** Engine-specific parts of sweeps. */
export interface SweepParts {
  readonly reader: Reading;
  readonly ask: AskDue;
  readonly slices: Slices;
  readonly clock: Clock;
  /** Engine-specific parts of writes in a transaction. */
  writePartsOf(tx: Transaction): WriteParts;
  /** Writes buffered accesses. */
  flushAccesses(): Promise<void>;
  /** Checked in each slice's transaction: throws if this process has lost the maintenance lease. */
  readonly fence?: ((connection: Statements) => Promise<void>) | undefined;
}

/** Member of a sweep, and the parts it uses. */
export interface Sweeper extends SweepParts {
  readonly caller: Caller;
  /** Spaces it may read; undefined for all. */
  spaces(): Promise<readonly Space[] | undefined>;
}

/** Transaction of one slice. */
export interface Slice {
  readonly tx: Transaction;
  readonly memories: MemoryWrites & MemoryRows;
  /** Returns this slice, acting for another member; both mark their writes in one set. */
  as(member: Member): Slice;
}

export interface Slicing {
  /** Name in the audit log. */
  readonly op: string;
  readonly signal: AbortSignal;
}

const MOST_ROWS = 200;
const FIRST_ROWS = 16;

/** Runs work for each item in short transactions with pauses. Returns the result for each item. */
export async function inSlices<T, R>(
  sweeper: Sweeper,
  items: readonly T[],
  { op, signal }: Slicing,
  work: (slice: Slice, item: T) => R | Promise<R>,
): Promise<R[]> {
  const { slices, caller, fence } = sweeper;
  const all: R[] = [];
  let rows = FIRST_ROWS;
  for (let from = 0; from < items.length && !signal.aborted; from = all.length) {
    // A sweep may create rows only in the spaces of their sources, which were checked when it was planned.
    const options = { caller, isOwn: true, spaces: await sweeper.spaces() };
    const { value: results, tookMs } = await slices.run(options, async (tx, takesMs) => {
      await fence?.(tx.connection);
      tx.ensureMember(caller.member);
      const slice = sliceOf(sweeper, tx);
      const done: R[] = [];
      for (const item of items.slice(from, from + rows)) {
        done.push(await work(slice, item));
        if (takesMs() > slices.targetMs) break;
      }
      tx.end(op);
      return done;
    });
    for (const result of results) all.push(result);
    rows = Math.min(MOST_ROWS, Math.max(1, Math.round((results.length * slices.targetMs) / Math.max(tookMs, 0.5))));
    await slices.pause(tookMs);
  }
  return all;
}

function sliceOf(sweeper: SweepParts, tx: Transaction): Slice {
  const parts = sweeper.writePartsOf(tx);
  return {
    tx,
    memories: memoryWrites(tx, readsWithin(tx, parts), parts.insert),
    as: (member) => sliceOf(sweeper, tx.as({ ...tx.caller, member })),
  };
}

// Rows per statement: single rows take ten times as long.
const AT_ONCE = 200;

/** Ranges of a list for statements with many rows. */
export const chunks = (length: number): readonly { readonly from: number; readonly to: number }[] =>
  Array.from({ length: Math.ceil(length / AT_ONCE) }, (_, nth) => ({
    from: nth * AT_ONCE,
    to: Math.min(length, (nth + 1) * AT_ONCE),
  }));

/**
 * Plans changes that archive nothing.
 * @param work returns the number of rows changed for an item
 */
export const changingPlan = <T>(
  sweeper: Sweeper,
  pass: PassName,
  { scanned, due }: Pick<Plan, "scanned" | "due">,
  items: readonly T[],
  work: (slice: Slice, item: T, doing: Doing) => number | Promise<number>,
): Plan => ({
  scanned,
  due,
  archives: [],
  hasMore: false,
  async apply(doing) {
    const slicing = { op: `maintenance:${pass}`, signal: doing.signal };
    const changed = await inSlices(sweeper, items, slicing, (slice, item) => work(slice, item, doing));
    return { changed: changed.reduce((sum, each) => sum + each, 0), archived: [], created: [] };
  },
});
