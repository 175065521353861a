import { setTimeout as sleep } from "node:timers/promises";
import { ChestError, endpoints } from "@chest/contracts";
import { numeral } from "@chest/core/arguments";
import type { RunOnce } from "@chest/core/idempotency";
import {
  DEFAULT_MAINTENANCE,
  type MaintenanceSettings,
  previewPasses,
  runJournalled,
  type SummariesListener,
} from "@chest/core/lifecycle";
import { type Lifecycle, PASSES, type PassReport } from "@chest/core/ports";
import { readFields } from "@chest/core/tool";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { writeCallOf } from "../plugins/caller.ts";
import type { Wording } from "../wording.ts";
import { serve } from "./define-route.ts";

const MOST_RUNS = 30;

const ASKED = z.strictObject({
  action: z
    .enum(["preview", "run", "undo"])
    .describe("preview changes nothing; run runs all passes now; undo restores what a run archived"),
  run_id: numeral(1).optional().describe("For `undo`"),
});

export interface MaintenanceOptions {
  readonly lifecycle: Lifecycle;
  /** Undefined when scheduled runs are switched off. */
  readonly maintenance: MaintenanceSettings | undefined;
  canEmbed(): Promise<boolean>;
  readonly wording?: Pick<Wording, "summarised"> | undefined;
  readonly once: RunOnce;
}

/** Routes with which an operator lists, previews, starts and undoes maintenance runs. */
export function maintenanceRoutes(
  app: FastifyInstance,
  { lifecycle, maintenance, canEmbed, wording, once }: MaintenanceOptions,
): void {
  const settings = async () => ({ ...(maintenance ?? DEFAULT_MAINTENANCE), hasEmbedder: await canEmbed() });

  serve(app, endpoints.listMaintenance, async () => ({
    ok: true as const,
    is_on: maintenance !== undefined,
    runs: (await lifecycle.journal.runs(MOST_RUNS)).map(({ id, trigger, startedAt, finishedAt, outcome, passes }) => ({
      id,
      trigger,
      started_at: startedAt.toISOString(),
      finished_at: finishedAt?.toISOString() ?? null,
      outcome: outcome ?? null,
      passes: passes.map(passOf),
    })),
  }));

  serve(
    app,
    endpoints.maintain,
    async (request, reply) => {
      const { action, run_id: runId } = readFields(ASKED, request.body);
      if ((action === "undo") !== (runId !== undefined)) throw wrongRunId(action);
      if (action === "preview") {
        const passes = await previewPasses(lifecycle.sweeps, PASSES, await settings());
        return { ok: true as const, passes: passes.map(passOf) };
      }
      return once(writeCallOf(request, reply), async () => {
        if (runId === undefined) return runNow(lifecycle, await settings(), wording?.summarised);
        const { restored, undone } = await lifecycle.restore({ runId });
        return { ok: true as const, run_id: runId, restored: restored.length, undone: undone.length };
      });
    },
    { body: ASKED },
  );
}

const LEASE_TRIES = 25;
const LEASE_PAUSE_MS = 200;

/**
 * Acquires the maintenance lease. A run that holds it usually ends within seconds, so the lease is requested several
 * times.
 */
async function leaseSoon(lifecycle: Lifecycle): ReturnType<Lifecycle["lease"]> {
  for (let tried = 1; ; tried += 1) {
    const lease = await lifecycle.lease();
    if (lease || tried === LEASE_TRIES) return lease;
    await sleep(LEASE_PAUSE_MS);
  }
}

async function runNow(
  lifecycle: Lifecycle,
  maintenance: MaintenanceSettings,
  onSummaries: SummariesListener | undefined,
) {
  const lease = await leaseSoon(lifecycle);
  if (!lease) throw new ChestError("UNAVAILABLE", "maintenance is already running", { hint: "try again in a moment" });
  try {
    const asked = { trigger: "operator" as const, signal: lease.lost, onSummaries };
    const { runId, reports } = await runJournalled(lifecycle, PASSES, maintenance, asked);
    return { ok: true as const, ...(runId === undefined ? {} : { run_id: runId }), passes: reports.map(passOf) };
  } finally {
    await lease.release();
  }
}

const passOf = ({ name, scanned, changed, seconds, note }: PassReport) => ({
  name,
  scanned,
  changed,
  seconds,
  ...(note === undefined ? {} : { note }),
});

const wrongRunId = (action: string): ChestError =>
  new ChestError(
    "INVALID_INPUT",
    action === "undo" ? "run_id: is needed to undo a run" : "run_id: is only for `undo`",
    { hint: "`GET /api/maintenance` lists the runs with their ids", details: { field: "run_id" } },
  );
