export { listBackups } from "./list.ts";
export { backUpStore } from "./make.ts";
export { backUpFile } from "./of-file.ts";
export { type Restored, restoreStore } from "./restore.ts";
export { rotateBackups } from "./rotate.ts";
