import type { Caller, Clock, Member, MemoryRows, MemoryWrites, Space } from "@chest/core";
import { Fingerprints } from "@chest/core";
import { memoryWrites } from "@chest/store/memories/memory-writes";
import { readsWithin } from "@chest/store/store";
import type { Piped, Reading } from "../database/connection.ts";
import { Transaction } from "../database/transaction.ts";
import type { Writer } from "../database/write.ts";
import { writePartsOf } from "../memories/write-parts.ts";

/** Asked in each slice's transaction: throws where the lease was lost. */
export type Fence = (connection: Piped) => Promise<void>;

/** Member who sweeps, and the parts it uses. */
export interface Sweeper {
  readonly reader: Reading;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly caller: Caller;
  /** Spaces it may look at; undefined for all. */
  spaces(): Promise<readonly Space[] | undefined>;
  readonly fence: Fence | undefined;
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
// Writers wait for the rows that a slice holds: slices are kept near this length at any cost of a row.
const TARGET_MS = 50;

/**
 * Runs work for each item in short transactions; other calls go on in between. Counters are raised after each slice.
 */
export async function inSlices<T, R>(
  sweeper: Sweeper,
  items: readonly T[],
  { op, signal }: Slicing,
  work: (slice: Slice, item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let rows = FIRST_ROWS;
  for (let from = 0; from < items.length && !signal.aborted; ) {
    const startedAt = performance.now();
    const slice = items.slice(from, from + rows);
    results.push(...(await oneSlice(sweeper, op, slice, work)));
    from += slice.length;
    const tookMs = performance.now() - startedAt;
    rows = Math.min(MOST_ROWS, Math.max(1, Math.round((slice.length * TARGET_MS) / Math.max(tookMs, 1))));
  }
  return results;
}

// A sweep compares nothing with what is stored beside it.
const NO_FINGERPRINTS = new Fingerprints();

async function oneSlice<T, R>(
  sweeper: Sweeper,
  op: string,
  items: readonly T[],
  work: (slice: Slice, item: T) => Promise<R>,
): Promise<R[]> {
  const spaces = await sweeper.spaces();
  return sweeper.writer.write(async (connection) => {
    await sweeper.fence?.(connection);
    const now = sweeper.clock.now();
    function sliceOf(by: Caller): Slice {
      // A sweep makes rows only where those lay that they stand for: whose place that is was asked when it looked.
      const tx = new Transaction(connection, { caller: by, now, isOwn: true, spaces });
      const parts = writePartsOf(tx, NO_FINGERPRINTS, []);
      return {
        tx,
        memories: memoryWrites(tx, readsWithin(tx, parts), parts.insert),
        as: (member) => sliceOf({ ...by, member }),
      };
    }
    const slice = sliceOf(sweeper.caller);
    slice.tx.ensureMember(sweeper.caller.member);
    const results: R[] = [];
    for (const item of items) results.push(await work(slice, item));
    slice.tx.end(op);
    return results;
  });
}
