import type { Clock } from "../ports/clock.ts";
import { type Lifecycle, PASSES, type PassName, type PassReport, type Trigger } from "../ports/lifecycle.ts";
import { type MaintenanceSettings, runJournalled, type SummariesListener } from "./maintenance.ts";

export interface MaintenanceLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Why nothing was run; undefined when it was. */
export type Skipped = "busy" | "throttled" | "locked" | "stopped" | "error";

export interface MaintenanceScheduler {
  /** Begins the timer, and runs once when a run is due. */
  start(): void;
  /** Counts a stored memory. */
  stored(): void;
  /** Notes that memories got vectors, so that they can be compared. */
  embedded(): void;
  /** Runs now, when it is due and no other process runs. */
  run(trigger: Trigger): Promise<Skipped | readonly PassReport[]>;
  /** Stops the timer, and a run after its current slice. */
  stop(): Promise<void>;
}

/** @param runId of the journal's entry; undefined where nothing was noted. */
export type RunListener = (outcome: "done" | "failed", passes: readonly PassReport[], runId?: number) => void;

export interface MaintenanceSchedulerOptions {
  readonly lifecycle: Lifecycle;
  readonly maintenance: MaintenanceSettings;
  readonly clock: Clock;
  readonly log: MaintenanceLog;
  /** Whether this process gives memories their vectors: those without one then wait for it. */
  readonly canEmbed?: () => Promise<boolean>;
  /** Called before the passes of a run, under its lease. If it throws, no pass runs. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>;
  /** Called with every run that ended, well or not. */
  readonly onRun?: RunListener;
  readonly onSummaries?: SummariesListener | undefined;
  /** Delay before new vectors are compared, in which more may arrive. */
  readonly debounceMs?: number;
  /** Delay of the first run after a start. */
  readonly startMs?: number;
}

interface Ran {
  readonly runId: number | undefined;
  readonly reports: readonly PassReport[];
}

const DEBOUNCE_MS = 500;
const START_MS = 5000;

/** Keeps a store in order while it is open: at the start, every interval, and after writes; never on a request's way. */
export function openMaintenanceScheduler(options: MaintenanceSchedulerOptions): MaintenanceScheduler {
  const {
    lifecycle,
    maintenance,
    clock,
    log,
    canEmbed,
    onSummaries,
    debounceMs = DEBOUNCE_MS,
    startMs = START_MS,
  } = options;
  const stopping = new AbortController();
  let current: { readonly ended: Promise<unknown> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let starting: NodeJS.Timeout | undefined;
  let debounce: NodeJS.Timeout | undefined;
  let stores = 0;

  async function isThrottled(trigger: Trigger): Promise<boolean> {
    // Fresh vectors are compared at once, by a pass of their own.
    if (trigger === "vectors") return false;
    const lastAt = await lifecycle.journal.lastAt();
    // A run that a wrong clock put into the future must not keep all others away until then.
    return lastAt !== undefined && Math.abs(clock.now().getTime() - lastAt.getTime()) < maintenance.intervalMs;
  }

  async function attempt(trigger: Trigger): Promise<Skipped | Ran> {
    if (await isThrottled(trigger)) return "throttled";
    const lease = await lifecycle.lease();
    if (!lease) return "locked";
    try {
      const passes: readonly PassName[] = trigger === "vectors" ? ["supersession"] : PASSES;
      if (trigger !== "vectors") stores = 0;
      const signal = AbortSignal.any([stopping.signal, lease.lost]);
      await options.prepare?.(signal);
      if (signal.aborted) return "stopped";
      const now = { ...maintenance, hasEmbedder: (await canEmbed?.()) ?? maintenance.hasEmbedder };
      const { runId, reports } = await runJournalled(lifecycle, passes, now, { trigger, signal, onSummaries });
      const changed = Object.fromEntries(reports.map((report) => [report.name, report.changed]));
      if (runId !== undefined) log.info({ run: runId, trigger, changed }, "maintenance");
      const waiting = reports.filter(({ waitsSince }) => waitsSince !== undefined);
      if (waiting[0]) {
        const fields = { run: runId, since: waiting[0].waitsSince, passes: waiting.map(({ name }) => name) };
        log.warn(
          fields,
          "there was no write or maintenance for more than a week: passes that depend on age wait for one interval, in case the clock is wrong",
        );
      }
      return { runId, reports };
    } finally {
      await lease.release();
    }
  }

  async function run(trigger: Trigger): Promise<Skipped | readonly PassReport[]> {
    if (stopping.signal.aborted) return "stopped";
    if (current) return "busy";
    const attempting = attempt(trigger);
    current = { ended: attempting.catch(() => undefined) };
    try {
      const ended = await attempting;
      if (typeof ended === "string") return ended;
      options.onRun?.("done", ended.reports, ended.runId);
      return ended.reports;
    } catch (err) {
      if (stopping.signal.aborted) return "stopped";
      options.onRun?.("failed", []);
      log.warn({ err, trigger }, "maintenance failed; it is tried again after the interval");
      return "error";
    } finally {
      current = undefined;
    }
  }

  const compare = (): void => {
    debounce = undefined;
    void run("vectors").then((outcome) => {
      if (outcome === "busy" || outcome === "locked") settle();
    });
  };
  function settle(): void {
    if (debounce || stopping.signal.aborted) return;
    debounce = setTimeout(compare, debounceMs);
    debounce.unref();
  }

  return {
    run,
    start() {
      timer = setInterval(() => void run("timer"), maintenance.intervalMs);
      timer.unref();
      starting = setTimeout(() => void run("start"), startMs);
      starting.unref();
    },
    stored() {
      stores += 1;
      if (stores >= maintenance.everyStores && !current) void run("writes");
    },
    embedded: settle,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      clearTimeout(starting);
      clearTimeout(debounce);
      await current?.ended;
    },
  };
}
