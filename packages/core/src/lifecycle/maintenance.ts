import {
  type Lifecycle,
  PASSES,
  type PassName,
  type PassReport,
  type Plan,
  type PruneLimits,
  type Sweeps,
  type Trigger,
  type TurnRetention,
} from "../ports/lifecycle.ts";
import { DEFAULT_LIMITS } from "../tool.ts";
import { JOURNAL_DAYS } from "../transcript/candidate.ts";
import { DEFAULT_SUPERSEDE_COSINE } from "./supersede.ts";

/** Settings of maintenance. */
export interface MaintenanceSettings {
  /** Least time between two runs. */
  readonly intervalMs: number;
  /** Stores after which a run is due, once the interval is over. */
  readonly everyStores: number;
  /** Most memories that one pass of forgetting, or one round of consolidation, archives. */
  readonly forgetCap: number;
  /** Most memories that all passes of one run archive together; undefined if only the limits of the passes apply. */
  readonly archiveCap?: number | undefined;
  /** Memories that may be consolidated automatically. */
  readonly consolidate: "off" | "captured" | "all";
  /** Least cosine at which a newer memory may supersede an older one. */
  readonly supersedeCosine: number;
  readonly turns: TurnRetention;
  /** Days that the journal of a session lives. */
  readonly journalDays: number;
  /** Undefined: nothing is pruned. Pruning runs only if a setting or an operator asks for it. */
  readonly prune: PruneLimits | undefined;
  readonly contentChars: number;
  /** This process makes vectors, so memories without one wait for theirs. */
  readonly hasEmbedder: boolean;
}

export const DEFAULT_MAINTENANCE: MaintenanceSettings = {
  intervalMs: 600_000,
  everyStores: 50,
  forgetCap: 200,
  consolidate: "captured",
  supersedeCosine: DEFAULT_SUPERSEDE_COSINE,
  turns: { maxAgeDays: 365, keep: 512 },
  journalDays: JOURNAL_DAYS,
  // Ten weeks without use lower any confidence below the limit: run by default, this pass would end a `learning` after
  // 90 of its 365 days.
  prune: undefined,
  contentChars: DEFAULT_LIMITS.contentChars,
  hasEmbedder: false,
};

// Automatic runs do not compress recently used memories, because an agent may still work with them.
const IDLE_DAYS = 30;
// A backlog is worked off over several runs, so that the passes behind it get their turn.
const MOST_ROUNDS = 20;

export interface PassContext {
  readonly signal: AbortSignal;
  /** The run that changes are noted under, asked for at the first one. */
  runId(): Promise<number>;
  /** Last recorded activity, if the clock may have jumped since then: passes that depend on age then wait. */
  readonly waitsSince: string | undefined;
  readonly onSummaries: SummariesListener | undefined;
}

/** Called with the summaries that a pass has made, which quote by a rule. */
export type SummariesListener = (ids: readonly number[]) => void;

// A clock that is set forward makes everything old at once. A backend that was off for a week looks the same, and can wait.
const JUMP_MS = 7 * 86_400_000;

/** Passes that archive or remove rows because of their age. */
const BY_AGE: ReadonlySet<PassName> = new Set([
  "confidence",
  "digest",
  "expiry",
  "consolidation",
  "forgetting",
  "prune",
  "conversations",
  "retention",
]);

/** Time of the last write or run, if it is so long ago that the clock may have jumped since. */
export async function jumpedSince(
  { journal }: Pick<Lifecycle, "journal">,
  { intervalMs }: MaintenanceSettings,
): Promise<string | undefined> {
  const sign = await journal.lastSign(intervalMs);
  return sign && sign.ageMs > JUMP_MS ? sign.at.toISOString() : undefined;
}

/** Runs passes one after another, each planned after the one before was done. */
async function runPasses(
  sweeps: Sweeps,
  passes: readonly PassName[],
  maintenance: MaintenanceSettings,
  doing: PassContext,
): Promise<PassReport[]> {
  const reports: PassReport[] = [];
  let room = maintenance.archiveCap ?? Number.POSITIVE_INFINITY;
  for (const name of inOrder(passes)) {
    if (doing.signal.aborted) break;
    const startedAt = performance.now();
    const { waitsSince } = doing;
    if (waitsSince !== undefined && BY_AGE.has(name)) {
      reports.push({
        ...reportOf(name, startedAt, { scanned: 0, changed: 0, note: waitNote(waitsSince) }),
        waitsSince,
      });
      continue;
    }
    let [scanned, changed, note] = [0, 0, undefined as string | undefined];
    for (let round = 0; round < MOST_ROUNDS && !doing.signal.aborted; round++) {
      const plan = await planWithin(room, sweeps, name, maintenance);
      if (!plan) break;
      scanned += plan.scanned;
      note = plan.note ?? note;
      const runId = plan.due > 0 ? await doing.runId() : undefined;
      const done = await plan.apply({ signal: doing.signal, runId });
      changed += done.changed;
      if (name !== "supersession") room -= done.archived.length;
      if (done.created.length > 0) doing.onSummaries?.(done.created);
      if (!plan.hasMore || CAPPED.has(name)) break;
    }
    reports.push(reportOf(name, startedAt, { scanned, changed, note }));
  }
  return reports;
}

/** Plans a pass that archives at most as many memories as the cap allows; the rest waits for the next run. */
async function planWithin(
  room: number,
  sweeps: Sweeps,
  name: PassName,
  maintenance: MaintenanceSettings,
): Promise<Plan | undefined> {
  const within = { ...maintenance, forgetCap: Math.min(maintenance.forgetCap, room) };
  const left: number[] = [];
  for (let tries = 0; tries < MOST_ROUNDS; tries++) {
    const plan = await planOf(sweeps, name, within, left);
    // A memory that a newer one repeats is still found by that one, and a pair is compared only once.
    if (!plan || name === "supersession" || plan.archives.length <= room) return plan;
    left.push(...plan.archives.slice(Math.max(0, room)));
  }
  return undefined;
}

// These passes are capped per run: each archived memory takes its words out of the index.
const CAPPED: ReadonlySet<PassName> = new Set(["digest", "expiry", "forgetting", "prune", "consolidation"]);

/** Previews passes, each as if those before it had been applied; nothing is changed. */
export async function previewPasses(
  sweeps: Sweeps,
  passes: readonly PassName[],
  maintenance: MaintenanceSettings,
): Promise<(PassReport & { readonly archives: readonly number[] })[]> {
  const reports = [];
  const gone: number[] = [];
  for (const name of inOrder(passes)) {
    const startedAt = performance.now();
    const plan = await planOf(sweeps, name, maintenance, gone);
    const { scanned = 0, due = 0, note, archives = [] } = plan ?? {};
    gone.push(...archives);
    reports.push({ ...reportOf(name, startedAt, { scanned, changed: due, note }), archives });
  }
  return reports;
}

/**
 * Runs passes under a journal entry of their own.
 * @throws the error that stopped them, after the entry records it
 */
export async function runJournalled(
  { sweeps, journal }: Pick<Lifecycle, "sweeps" | "journal">,
  passes: readonly PassName[],
  maintenance: MaintenanceSettings,
  {
    trigger,
    signal,
    onSummaries,
  }: { readonly trigger: Trigger; readonly signal: AbortSignal; readonly onSummaries?: SummariesListener | undefined },
): Promise<{ readonly runId: number | undefined; readonly reports: readonly PassReport[] }> {
  let begun: number | undefined;
  const runId = async () => {
    begun ??= await journal.begin(trigger);
    return begun;
  };
  // New vectors come all the time: comparing them is worth an entry when something came of it.
  // An operator who asks for a run wants it now, and has been told.
  const isUnasked = trigger !== "vectors" && trigger !== "operator";
  const waitsSince = isUnasked ? await jumpedSince({ journal }, maintenance) : undefined;
  if (trigger !== "vectors") await runId();
  try {
    const reports = await runPasses(sweeps, passes, maintenance, { signal, runId, waitsSince, onSummaries });
    if (begun !== undefined) await journal.end(begun, signal.aborted ? "stopped" : "done", reports);
    return { runId: begun, reports };
  } catch (error) {
    if (begun !== undefined) await journal.end(begun, "failed", []);
    throw error;
  }
}

const waitNote = (since: string): string => `waits for one interval: there was no write or maintenance since ${since}`;

/** Undefined for a pass that is switched off. */
async function planOf(
  sweeps: Sweeps,
  name: PassName,
  maintenance: MaintenanceSettings,
  without: readonly number[],
): Promise<Plan | undefined> {
  switch (name) {
    case "supersession":
      return sweeps.supersession({ minCosine: maintenance.supersedeCosine, without });
    case "digest":
      if (maintenance.consolidate === "off") return undefined;
      return sweeps.digest({ maxChars: maintenance.contentChars, cap: maintenance.forgetCap, without });
    case "expiry":
      return sweeps.expiry({ cap: maintenance.forgetCap, journalDays: maintenance.journalDays, without });
    case "forgetting":
      return sweeps.forgetting({ cap: maintenance.forgetCap, without });
    case "prune":
      return maintenance.prune && sweeps.prune({ ...maintenance.prune, cap: maintenance.forgetCap, without });
    case "conversations":
      return sweeps.conversations({ ...maintenance.turns, without });
    case "consolidation": {
      const { consolidate, contentChars, forgetCap, hasEmbedder } = maintenance;
      if (consolidate === "off") return undefined;
      return sweeps.consolidation({
        minAgeDays: IDLE_DAYS,
        maxChars: contentChars,
        cap: forgetCap,
        without,
        onlyCaptured: consolidate === "captured",
        areVectorsComing: hasEmbedder,
      });
    }
    default:
      return sweeps[name]({ without });
  }
}

const inOrder = (passes: readonly PassName[]): PassName[] => PASSES.filter((name) => passes.includes(name));

const reportOf = (
  name: PassName,
  startedAt: number,
  { scanned, changed, note }: { scanned: number; changed: number; note: string | undefined },
): PassReport => ({
  name,
  scanned,
  changed,
  seconds: Math.round(performance.now() - startedAt) / 1000,
  ...(note === undefined ? {} : { note }),
});
