import type { Backups, KeepRule } from "../ports/operations/backups.ts";

export interface BackupLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface BackupRule {
  readonly backups: Pick<Backups, "make" | "list" | "rotate">;
  /** 0 is never. */
  readonly everyHours: number;
  readonly keep: KeepRule;
}

export interface ScheduleOptions extends BackupRule {
  readonly log: BackupLog;
  /** How long a start is left alone before it is asked whether one is due. */
  readonly settleMs?: number;
}

export interface Schedule {
  /** Stops the schedule, and cancels a backup that is being made. */
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const SETTLE_MS = 60_000;

/** Makes a backup whenever the newest is older than the interval, also across restarts. */
export function scheduleBackups({ log, settleMs = SETTLE_MS, ...rule }: ScheduleOptions): Schedule {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const again = (ms: number) => {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = turn();
    }, ms).unref();
  };

  async function turn(): Promise<void> {
    try {
      if (await isBackupDue(rule)) await backUp(rule, log, stopping.signal);
    } catch (err) {
      if (!stopping.signal.aborted) log.error({ err }, "no backup was made; the next try is in an hour");
    }
    // An hour at a time: a longer timer would miss a change of the clock, and does not fit into one at 25 days.
    again(HOUR_MS);
  }

  if (rule.everyHours > 0) again(settleMs);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * Backs up a store that is about to be maintained: without any copy of it in any case, and whenever the newest is older
 * than the interval. @throws where there is no copy at all and none can be made.
 */
export async function backUpBeforehand(rule: BackupRule, log: BackupLog, signal: AbortSignal): Promise<void> {
  const { backups, everyHours } = rule;
  if ((await backups.list()).length === 0) return backUp(rule, log, signal);
  if (everyHours === 0 || !(await isBackupDue(rule))) return;
  try {
    await backUp(rule, log, signal);
  } catch (err) {
    if (!signal.aborted) log.error({ err }, "no backup was made; an older one is there");
  }
}

async function isBackupDue({ backups, everyHours }: BackupRule): Promise<boolean> {
  const newest = (await backups.list()).find(({ reason }) => !reason.startsWith("before-"));
  // A minute of grace, or an hourly look at a daily schedule drifts by an hour each day.
  return !newest || Date.now() - newest.madeAt.getTime() > everyHours * HOUR_MS - SETTLE_MS;
}

async function backUp({ backups, keep }: BackupRule, log: BackupLog, signal: AbortSignal): Promise<void> {
  const { file, bytes, rows } = await backups.make("scheduled", signal);
  const gone = await backups.rotate(keep);
  log.info({ file, bytes, memories: rows.memories ?? 0, rotated: gone.length }, "backed up");
}
