export { chunksOf } from "./chunk.ts";
export { editHistory, type FileEdit } from "./edit-history.ts";
export { isBelow, isNameOf, keysOfPath, matchPaths, partKeyOf, pathKeyOf } from "./path-key.ts";
export { ReadingSession } from "./reading-session.ts";
export {
  findKnown,
  getSnapshot,
  putSnapshot,
  snapshotGetInput,
  snapshotPutInput,
  snapshotTouchInput,
  touchSnapshot,
} from "./snapshots.ts";
export { readText } from "./text-file.ts";
