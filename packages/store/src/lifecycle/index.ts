import { type Caller, localCaller, MAINTENANCE, type Space } from "@chest/core/access";
import type { CallerSweeps, Lifecycle, Sweeps } from "@chest/core/ports";
import { JOURNAL_DAYS } from "@chest/core/transcript";
import { toSeconds } from "../database/rows.ts";
import type { Transactions } from "../database/transact.ts";
import { activationPlan } from "./activation.ts";
import { confidencePlan } from "./confidence.ts";
import { consolidationPlan } from "./consolidation.ts";
import { digestPlan } from "./digest.ts";
import { expiryPlan } from "./expiry.ts";
import { forgettingPlan } from "./forgetting.ts";
import { runJournal } from "./journal.ts";
import { momentumPlan } from "./momentum.ts";
import { prunePlan } from "./prune.ts";
import { restore } from "./restore.ts";
import { type RetentionParts, retentionPlan } from "./retention.ts";
import { journalPlan } from "./sort-journal.ts";
import { supersessionPlan } from "./supersession.ts";
import type { Where } from "./sweep-conditions.ts";
import type { Sweeper, SweepParts } from "./sweeper.ts";
import { turnsPlan } from "./turns.ts";

const CALLER = { ...localCaller(undefined, { name: "chest-maintenance", version: "1" }), member: MAINTENANCE };

/** Maintenance of the whole store, without the lease. */
export function lifecycleOver(parts: SweepParts & RetentionParts, { write }: Transactions): Omit<Lifecycle, "lease"> {
  const sweeper: Sweeper & RetentionParts = { ...parts, caller: CALLER, spaces: async () => undefined };
  return {
    sweeps: sweepsOf(sweeper, parts),
    journal: runJournal(parts, write),
    restore: (which) => restore({ ...sweeper, fence: undefined }, which),
  };
}

/** Sweeps over the spaces that a caller may open. */
export const callerSweeps = (
  parts: SweepParts,
  caller: Caller,
  spaces: () => Promise<readonly Space[]>,
): CallerSweeps => sweepsOf({ ...parts, caller, spaces });

function sweepsOf(sweeper: Sweeper, retained: RetentionParts = {}): Sweeps {
  /** Writes buffered accesses first, so that recent openings count. */
  const where = async (without: readonly number[] = []): Promise<Where> => {
    await sweeper.flushAccesses();
    return { spaces: await sweeper.spaces(), without, nowS: toSeconds(sweeper.clock.now()) };
  };
  return {
    activation: async ({ without }) => activationPlan(sweeper, await where(without)),
    momentum: async ({ without }) => momentumPlan(sweeper, await where(without)),
    confidence: async ({ without }) => confidencePlan(sweeper, await where(without)),
    journal: async ({ without }) => journalPlan(sweeper, await where(without)),
    digest: async ({ without, ...limits }) => digestPlan(sweeper, await where(without), limits),
    expiry: async ({ without, cap, journalDays = JOURNAL_DAYS }) =>
      expiryPlan(sweeper, { ...(await where(without)), journalDays }, cap),
    supersession: async ({ without, minCosine }) => supersessionPlan(sweeper, await where(without), minCosine),
    consolidation: async (options) => consolidationPlan(sweeper, await where(options.without), options),
    forgetting: async ({ without, cap }) => forgettingPlan(sweeper, await where(without), cap),
    prune: async ({ without, cap, ...limits }) => prunePlan(sweeper, await where(without), limits, cap),
    conversations: async ({ without, ...kept }) => turnsPlan(sweeper, await where(without), kept),
    retention: async ({ without }) => retentionPlan(sweeper, await where(without), retained),
  };
}
