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

/** Detects that a store's file or log was moved or replaced. */
export interface FileReplacedGuard {
  isKept(): boolean;
  /** Throws if that happened, like a write. */
  assert(): void;
}

/**
 * Stops writing once the store's file or log was moved or removed: SQLite would continue in the open file, which no
 * start finds again. Checked after each commit, in four microseconds, so that no such write is acknowledged.
 */
export function keepInPlace({ path, writing, writer, log }: Placed): FileReplacedGuard {
  // SQLite puts the log beside the real file, wherever a link points from.
  const look = lookAfter([path, `${realpathSync(path)}-wal`]);
  writer.assertKept = () => {
    const file = look();
    if (file === undefined) return;
    log?.warn({ file }, "a file of the store was moved, replaced or removed: it accepts no more writes");
    // Acknowledged writes in a removed log are moved into the file, if that still has its name.
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

/** Path of the first file that was replaced; undefined if none was. */
function lookAfter(files: readonly string[]): () => string | undefined {
  if (process.platform === "win32") return () => undefined; // What is open keeps its name there.
  const marks = new Map(files.map((file) => [file, markOf(file)]));
  return () => files.find((file) => marks.get(file) !== undefined && markOf(file) !== marks.get(file));
}

function markOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
