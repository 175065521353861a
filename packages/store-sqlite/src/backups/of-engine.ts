import type { Backup, Backups } from "@chest/core";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { listBackups } from "./list.ts";
import { backUpStore } from "./make.ts";
import { rotateBackups } from "./rotate.ts";

export interface BackedUp {
  readonly path: string;
  readonly folder: string;
  /** Throws where another file has the store's name, or none: a copy of that would push the good ones out. */
  readonly assertInPlace: () => void;
  /** Looks through the store itself, and does what is to be done about what it finds. */
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
      // A disk that garbles copies may hold a sound store: the store itself is looked at.
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
