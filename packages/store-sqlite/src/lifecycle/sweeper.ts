import type { Caller, Clock, Member, MemoryRows, MemoryWrites, Space } from "@chest/core";
import type { KnownPlaces } from "@chest/store/database/places";
import { memoryWrites } from "@chest/store/memories/memory-writes";
import { readsWithin } from "@chest/store/store";
import type { Connection } from "../database/connection.ts";
import type { Writer } from "../database/write-queue.ts";
import { writePartsOf } from "../memories/write-parts.ts";
import { Transaction } from "../writing/transaction.ts";
import type { LifecycleThread } from "./thread.ts";

/** Member who sweeps, and the parts it uses. */
export interface Sweeper {
  readonly writer: Writer;
  readonly writing: Connection;
  readonly written: KnownPlaces;
  readonly thread: Pick<LifecycleThread, "ask">;
  readonly clock: Clock;
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
// A call that comes in meanwhile waits for one slice: slices are kept near this length at any cost of a row.
const TARGET_MS = 8;

/** Runs work for each item in short transactions with pauses in between, so that waiting calls go first. */
export async function inSlices<T>(
  sweeper: Sweeper,
  items: ArrayLike<T>,
  { op, signal }: Slicing,
  work: (slice: Slice, item: T) => void | Promise<void>,
): Promise<void> {
  let rows = FIRST_ROWS;
  for (let from = 0; from < items.length && !signal.aborted; ) {
    const { done, tookMs } = await oneSlice(sweeper, op, items, from, Math.min(items.length, from + rows), work);
    from += done;
    rows = Math.min(MOST_ROWS, Math.max(1, Math.round((done * TARGET_MS) / Math.max(tookMs, 0.5)), 1));
    await new Promise((resolve) => setTimeout(resolve, Math.min(tookMs, 2 * TARGET_MS)));
  }
}

function oneSlice<T>(
  sweeper: Sweeper,
  op: string,
  items: ArrayLike<T>,
  from: number,
  to: number,
  work: (slice: Slice, item: T) => void | Promise<void>,
): Promise<{ readonly done: number; readonly tookMs: number }> {
  const { writer, writing, written, clock, caller } = sweeper;
  const measured = { done: 0, tookMs: 0 };
  return writer.sweep(async (turn) => {
    const startedAt = busyMs();
    // A sweep makes rows only where those lay that they stand for: whose place that is was asked when it looked.
    const options = { now: clock.now(), isOwn: true, spaces: await sweeper.spaces() };
    function sliceOf(by: Caller): Slice {
      const tx = new Transaction({ writing, written }, turn, { ...options, caller: by });
      const parts = writePartsOf(tx, writing, []);
      const memories = memoryWrites(tx, readsWithin(tx, parts), parts.insert);
      return { tx, memories, as: (member) => sliceOf({ ...by, member }) };
    }
    const slice = sliceOf(caller);
    slice.tx.ensureMember(caller.member);
    for (let at = from; at < to; at++) {
      await work(slice, items[at] as T);
      measured.done += 1;
      if (busyMs() - startedAt > TARGET_MS) break;
    }
    slice.tx.end(op);
    // Runs after the text index has taken what this slice has for it.
    turn.defer(() => {
      measured.tookMs = busyMs() - startedAt;
    });
    return measured;
  });
}

/** CPU milliseconds of this thread: by the wall clock, a busy machine would make every slice look long. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
