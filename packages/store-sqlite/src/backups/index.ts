export { listBackups } from "./list.ts";
export { backUpFile, backUpStore } from "./make.ts";
export { type Restored, restoreStore } from "./restore.ts";
export { rotateBackups } from "./rotate.ts";
