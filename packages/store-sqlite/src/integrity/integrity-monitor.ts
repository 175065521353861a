import { damaged, shuttingDown } from "../database/sqlite-errors.ts";
import type { StoreLog } from "../database/store-log.ts";
import type { Writer } from "../database/write-queue.ts";
import { type BackgroundCheck, checkUntilKnown } from "./integrity-check.ts";

export interface Watched {
  readonly path: string;
  /** The file was not checked yet: it is checked while other processes use it. */
  readonly isUnseen: boolean;
  /** True for a file that was closed cleanly or has been checked: writes do not wait for the check. */
  readonly isTrusted: boolean;
  readonly writer: Writer;
  readonly log: StoreLog;
  /** Time that a write waits for the check. */
  readonly patienceMs: number;
  /** Called when all but the text index is whole. */
  onIndexDamaged(): void;
}

export interface IntegrityMonitor {
  /** Result so far. */
  isSound(): boolean;
  /** Damage was found: nothing is written from now on. */
  judge(damage: string): void;
  /** Ends the look; what waits for it is refused. */
  stop(): void;
}

/** Watches the integrity of an open store's file, and pauses or stops writing accordingly. */
export function monitorIntegrity(watched: Watched): IntegrityMonitor {
  const { path, isUnseen, isTrusted, writer, log, patienceMs, onIndexDamaged } = watched;
  let isSound = isTrusted;
  const checking = isUnseen
    ? checkUntilKnown(path, (trouble) => log.warn({ trouble }, "the store could not be checked"))
    : undefined;
  const known = checking?.verdict.then(take, () => undefined);
  // A file that is as it was closed is looked through for what disks do by themselves: that can be beside the writing.
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
