export { type ListedBackup, listBackups } from "./list.ts";
export { type Backup, backUpStore } from "./make.ts";
export type { Backups } from "./of-engine.ts";
export { backUpFile } from "./of-file.ts";
export { type Restored, restoreStore } from "./restore.ts";
export { type KeepRule, rotateBackups } from "./rotate.ts";
