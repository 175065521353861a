import type { Caller, Clock, Doing, Member, MemoryRows, MemoryWrites, PassName, Plan, Space } from "@chest/core";
import type { Reading, Statements } from "../database/connection.ts";
import type { Transaction, TransactionOptions } from "../database/transaction.ts";
import { memoryWrites } from "../memories/memory-writes.ts";
import { readsWithin, type WriteParts } from "../store.ts";
import type { AskDue } from "./due.ts";

/** An engine's transactions for slices of a sweep, and their pace. */
export interface Slices {
  /** Length that a slice is kept near, at any cost of a row: others wait for it. */
  readonly targetMs: number;
  /** Runs work in a transaction of its own; gives how long others waited for it, as the work may ask meanwhile. */
  run<T>(
    options: Omit<TransactionOptions, "now">,
    work: (tx: Transaction, tookMs: () => number) => Promise<T>,
  ): Promise<{ readonly value: T; readonly tookMs: number }>;
  /** Lets others go first. */
  pause(tookMs: number): Promise<void>;
}

/** Parts of an engine that its sweeps use. */
export interface SweepParts {
  readonly reader: Reading;
  readonly ask: AskDue;
  readonly slices: Slices;
  readonly clock: Clock;
  /** This engine's own part in what a transaction writes. */
  writePartsOf(tx: Transaction): WriteParts;
  /** Writes what was noted of reading. */
  flushAccesses(): Promise<void>;
  /** Asked in each slice's transaction: throws where this process has lost the right to run maintenance. */
  readonly fence?: ((connection: Statements) => Promise<void>) | undefined;
}

/** Member who sweeps, and the parts it uses. */
export interface Sweeper extends SweepParts {
  readonly caller: Caller;
  /** Spaces it may look at; undefined for all. */
  spaces(): Promise<readonly Space[] | undefined>;
}

/** One slice's transaction. */
export interface Slice {
  readonly tx: Transaction;
  readonly memories: MemoryWrites & MemoryRows;
  /** The same transaction in another member's name; what it writes is to be touched in this one. */
  as(member: Member): Slice;
}

export interface Slicing {
  /** As the audit log names it. */
  readonly op: string;
  readonly signal: AbortSignal;
}

const MOST_ROWS = 200;
const FIRST_ROWS = 16;

/** Runs work for each item in short transactions, so that other calls go on in between. Gives the result for each item. */
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
    // A sweep makes rows only where those lay that they stand for: whose place that is was asked when it looked.
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

// One statement for each so many: by the row they take ten times as long.
const AT_ONCE = 200;

/** The places in a list at which statements for many rows begin. */
export const chunks = (length: number): readonly { readonly from: number; readonly to: number }[] =>
  Array.from({ length: Math.ceil(length / AT_ONCE) }, (_, nth) => ({
    from: nth * AT_ONCE,
    to: Math.min(length, (nth + 1) * AT_ONCE),
  }));

/** Plans changes that put nothing out of sight. @param work gives how many rows it has changed for an item */
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
