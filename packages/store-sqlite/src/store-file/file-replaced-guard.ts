import { existsSync, realpathSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { Connection } from "../database/connection.ts";
import { displaced } from "../database/sqlite-errors.ts";
import type { StoreLog } from "../database/store-log.ts";
import type { Writer } from "../database/write-queue.ts";

export interface Placed {
  readonly path: string;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly log?: StoreLog | undefined;
}

/** Whether a store's file and its log still are what bears their names. */
export interface FileReplacedGuard {
  isKept(): boolean;
  /** Throws, as a write does then. */
  assert(): void;
}

/**
 * Ends the writing to a store once its file or its log was moved or removed: SQLite goes on in what it has open, and no
 * start finds that again. Looks after each commit, which takes four microseconds, so that nothing is acknowledged then.
 */
export function keepInPlace({ path, writing, writer, log }: Placed): FileReplacedGuard {
  // SQLite keeps the log beside the file itself, wherever a link to it lies.
  const look = lookAfter([path, `${realpathSync(path)}-wal`]);
  writer.assertKept = () => {
    const file = look();
    if (file === undefined) return;
    log?.warn({ file }, "a file of the store was moved, replaced or removed: it accepts no more writes");
    // Acknowledged writes in a log without a name are moved into the file that still has its own.
    if (file !== path && !existsSync(file)) writing.db.pragma("wal_checkpoint(PASSIVE)");
    writer.halt(displaced(basename(file)));
    throw displaced(basename(file));
  };
  return {
    isKept: () => look() === undefined,
    assert() {
      const file = look();
      if (file !== undefined) throw displaced(basename(file));
    },
  };
}

/** Gives the first of these files that is another one than at the start; undefined while none is. */
function lookAfter(files: readonly string[]): () => string | undefined {
  if (process.platform === "win32") return () => undefined; // What is open keeps its name there.
  const marks = new Map(files.map((file) => [file, markOf(file)]));
  return () => files.find((file) => marks.get(file) !== undefined && markOf(file) !== marks.get(file));
}

function markOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
