import { type CallerSweeps, type Clock, type Lifecycle, localCaller, MAINTENANCE, type Sweeps } from "@chest/core";
import type { KnownPlaces } from "@chest/store/database/places";
import type { Connection } from "../database/connection.ts";
import { toSeconds } from "../database/row-mapping.ts";
import type { Writer } from "../database/write-queue.ts";
import { activationPlan } from "./activation.ts";
import { confidencePlan } from "./confidence.ts";
import { consolidationPlan } from "./consolidation.ts";
import { digestPlan } from "./digest.ts";
import { expiryPlan } from "./expiry.ts";
import { forgettingPlan } from "./forgetting.ts";
import { runJournal } from "./journal.ts";
import { takeLease } from "./lease.ts";
import { momentumPlan } from "./momentum.ts";
import { prunePlan } from "./prune.ts";
import { restore } from "./restore.ts";
import { retentionPlan } from "./retention.ts";
import { supersessionPlan } from "./supersession.ts";
import type { Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";
import type { LifecycleThread } from "./thread.ts";
import { turnsPlan } from "./turns.ts";

export interface LifecycleParts {
  readonly path: string;
  readonly writer: Writer;
  readonly writing: Connection;
  readonly written: KnownPlaces;
  readonly reader: Connection;
  readonly thread: Pick<LifecycleThread, "ask">;
  readonly clock: Clock;
  /** Writes what was noted of reading. */
  flushAccesses(): Promise<void>;
}

const CALLER = { ...localCaller(undefined, { name: "chest-maintenance", version: "1" }), member: MAINTENANCE };

/** Upkeep of the whole store. */
export function sqliteLifecycle({ path, reader, flushAccesses, ...parts }: LifecycleParts): Lifecycle {
  const sweeper: Sweeper = { ...parts, caller: CALLER, spaces: async () => undefined };
  return {
    sweeps: sweepsOf(sweeper, flushAccesses),
    journal: runJournal(sweeper, reader),
    lease: () => takeLease(path),
    restore: (which) => restore(sweeper, reader, which),
  };
}

/** Sweeps over the spaces that a caller may open. */
export const callerSweeps = (sweeper: Sweeper, flushAccesses: () => Promise<void>): CallerSweeps =>
  sweepsOf(sweeper, flushAccesses);

function sweepsOf(sweeper: Sweeper, flushAccesses: () => Promise<void>): Sweeps {
  /** Writes noted accesses first: a memory opened a moment ago counts. */
  const where = async (without: readonly number[] = []): Promise<Where> => {
    await flushAccesses();
    return { spaces: (await sweeper.spaces()) ?? null, without, nowS: toSeconds(sweeper.clock.now()) };
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
