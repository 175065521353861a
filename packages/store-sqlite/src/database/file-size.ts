import { statSync } from "node:fs";

/** Bytes of a file, 0 where there is none. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Tells whether a write-ahead log has content. A log that no process has open was left by a crash. */
export const hasLog = (path: string): boolean => sizeOf(`${path}-wal`) > 0;
