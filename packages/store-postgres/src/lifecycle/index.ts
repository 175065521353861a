import {
  type CallerSweeps,
  type Clock,
  type Lifecycle,
  localCaller,
  MAINTENANCE,
  type Space,
  type Sweeps,
} from "@chest/core";
import { toSeconds } from "@chest/store/database/rows";
import type { AccessBuffer } from "@chest/store/memories/access-buffer";
import type { Connections } from "../database/connection.ts";
import type { Writer } from "../database/write.ts";
import { activationPlan, momentumPlan } from "./computed.ts";
import { confidencePlan } from "./confidence.ts";
import { consolidationPlan } from "./consolidation.ts";
import { digestPlan } from "./digest.ts";
import { expiryPlan, forgettingPlan } from "./fading.ts";
import { runJournal } from "./journal.ts";
import type { MaintenanceLease } from "./lease.ts";
import { prunePlan } from "./prune.ts";
import { restore } from "./restore.ts";
import { retentionPlan } from "./retention.ts";
import { supersessionPlan } from "./supersession.ts";
import type { Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";
import { turnsPlan } from "./turns.ts";

export interface LifecycleParts {
  readonly reader: Connections;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly accesses: AccessBuffer;
  readonly lease: MaintenanceLease;
}

const CALLER = { ...localCaller(undefined, { name: "chest-maintenance", version: "1" }), member: MAINTENANCE };

/** Upkeep of the whole store. */
export function postgresLifecycle({ lease, accesses, ...parts }: LifecycleParts): Lifecycle {
  const everywhere = async () => undefined;
  const sweeper: Sweeper = { ...parts, caller: CALLER, spaces: everywhere, fence: lease.fence };
  return {
    sweeps: sweepsOf(sweeper, accesses),
    journal: runJournal(parts),
    lease: () => lease.take(),
    restore: (which) => restore({ ...sweeper, fence: undefined }, which),
  };
}

/** Sweeps over the spaces that a caller may open. */
export const callerSweeps = (
  sweeper: Omit<Sweeper, "spaces"> & {
    readonly spaces: () => Promise<readonly Space[]>;
    readonly accesses: AccessBuffer;
  },
): CallerSweeps => sweepsOf(sweeper, sweeper.accesses);

function sweepsOf(sweeper: Sweeper, accesses: AccessBuffer): Sweeps {
  /** Writes noted accesses first: a memory opened a moment ago counts. */
  const where = async (without: readonly number[] = []): Promise<Where> => {
    await accesses.flush();
    return { spaces: await sweeper.spaces(), without, nowS: toSeconds(sweeper.clock.now()) };
  };
  return {
    activation: async ({ without }) => activationPlan(sweeper, await where(without)),
    momentum: async ({ without }) => momentumPlan(sweeper, await where(without)),
    confidence: async ({ without }) => confidencePlan(sweeper, await where(without)),
    digest: async ({ without, ...limits }) => digestPlan(sweeper, await where(without), limits),
    expiry: async ({ without, cap }) => expiryPlan(sweeper, await where(without), cap),
    supersession: async ({ without, minCosine }) => supersessionPlan(sweeper, await where(without), minCosine),
    consolidation: async (options) => consolidationPlan(sweeper, await where(options.without), options),
    forgetting: async ({ without, cap }) => forgettingPlan(sweeper, await where(without), cap),
    prune: async ({ without, cap, ...limits }) => prunePlan(sweeper, await where(without), limits, cap),
    conversations: async ({ without, ...kept }) => turnsPlan(sweeper, await where(without), kept),
    retention: async ({ without }) => retentionPlan(sweeper, await where(without)),
  };
}
