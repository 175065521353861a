import { statSync } from "node:fs";

/** Size of a file, 0 if it does not exist. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Whether a write-ahead log has content. A log of a closed store means a crash. */
export const hasLog = (path: string): boolean => sizeOf(`${path}-wal`) > 0;
