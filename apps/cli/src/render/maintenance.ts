import type { Lifecycle, RunReport } from "@chest/core/ports";

export interface MaintenanceSummary {
  readonly line: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Summarises the last maintenance without changing anything. */
export async function summariseMaintenance({ journal, lease }: Lifecycle): Promise<MaintenanceSummary> {
  const [last] = await journal.runs(1);
  if (!last)
    return { line: "maintenance: none yet", document: { last_at: null, state: "none", lease: "free", report: [] } };
  const state = last.outcome ?? ((await isHeld(lease)) ? "running" : "interrupted");
  const waiting = last.passes.flatMap(({ name, waitsSince }) => (waitsSince === undefined ? [] : [name]));
  const changed = last.passes.flatMap(({ name, changed }) => (changed > 0 ? [`${name} ${changed}`] : []));
  return {
    line: `maintenance: run ${last.id} at ${last.startedAt.toISOString()}, ${state}${changed.length > 0 ? `: ${changed.join(", ")}` : ""}${waiting.length > 0 ? `; ${waiting.join(", ")} wait for one interval, in case the clock is wrong` : ""}`,
    document: documentOf(last, state),
  };
}

/** Tells whether a process holds the lease, which means that a run without an end is still going on. */
async function isHeld(lease: Lifecycle["lease"]): Promise<boolean> {
  const taken = await lease();
  await taken?.release();
  return taken === undefined;
}

const documentOf = ({ id, trigger, startedAt, passes }: RunReport, state: string) => ({
  last_at: startedAt.toISOString(),
  run_id: id,
  trigger,
  state,
  lease: state === "running" ? "held" : "free",
  report: passes,
});
