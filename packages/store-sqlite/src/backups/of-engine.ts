import type { Backup, Backups } from "@chest/core/ports";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { listBackups } from "./list.ts";
import { backUpStore } from "./make.ts";
import { rotateBackups } from "./rotate.ts";

export interface BackedUp {
  readonly path: string;
  readonly folder: string;
  /** Throws if the store's file was replaced or removed: a copy of another file would displace good backups. */
  readonly assertInPlace: () => void;
  /** Checks the store itself, and handles the result. */
  readonly examine: () => Promise<void>;
}

export function backupsOf({ path, folder, assertInPlace, examine }: BackedUp): Backups {
  let running: Promise<Backup> | undefined;

  async function make(reason: string, signal?: AbortSignal): Promise<Backup> {
    assertInPlace();
    try {
      return await backUpStore({ path, folder, reason, signal });
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      // If a copy is damaged, the disk may have damaged only the copy, so the store itself is checked.
      if (sqliteCode(cause) === "SQLITE_CORRUPT") await examine();
      throw error;
    }
  }

  return {
    make(reason, signal) {
      running ??= make(reason, signal).finally(() => {
        running = undefined;
      });
      return running;
    },
    list: () => listBackups(folder),
    rotate: (rule) => rotateBackups(folder, rule),
  };
}
