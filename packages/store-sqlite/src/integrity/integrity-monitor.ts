import { damaged, shuttingDown } from "../database/sqlite-errors.ts";
import type { StoreLog } from "../database/store-log.ts";
import type { Writer } from "../database/write-queue.ts";
import { type BackgroundCheck, checkUntilKnown } from "./integrity-check.ts";

export interface Watched {
  readonly path: string;
  /** The file was not checked yet, so it is checked while in use. */
  readonly isUnseen: boolean;
  /** The file was closed cleanly or has been checked: writes do not wait for the check. */
  readonly isTrusted: boolean;
  readonly writer: Writer;
  readonly log: StoreLog;
  /** Longest wait of a write for the check. */
  readonly patienceMs: number;
  /** Called if only the text index is damaged. */
  onIndexDamaged(): void;
}

export interface IntegrityMonitor {
  /** Whether no damage has been found so far. */
  isSound(): boolean;
  /** Reports damage: nothing is written from now on. */
  judge(damage: string): void;
  /** Stops the check; writes that wait for it are refused. */
  stop(): void;
}

/** Checks an open store's file, and pauses or stops writes accordingly. */
export function monitorIntegrity(watched: Watched): IntegrityMonitor {
  const { path, isUnseen, isTrusted, writer, log, patienceMs, onIndexDamaged } = watched;
  let isSound = isTrusted;
  const checking = isUnseen
    ? checkUntilKnown(path, (trouble) => log.warn({ trouble }, "the store could not be checked"))
    : undefined;
  const known = checking?.verdict.then(take, () => undefined);
  // A cleanly closed file is checked only for disk faults, which may happen while it is written.
  if (known && !isTrusted) writer.hold(known, patienceMs);

  function take(verdict: Awaited<BackgroundCheck["verdict"]>): void {
    if ("damage" in verdict) judge(verdict.damage);
    else {
      isSound = true;
      if (verdict.soundness === "without index") onIndexDamaged();
    }
  }

  function judge(damage: string): void {
    isSound = false;
    log.warn({ damage }, "the store is damaged: nothing is written to it");
    writer.halt(damaged());
  }

  return {
    isSound: () => isSound,
    judge,
    stop() {
      checking?.stop();
      if (checking && !isSound) writer.halt(shuttingDown());
    },
  };
}
