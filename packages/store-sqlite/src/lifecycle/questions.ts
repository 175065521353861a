import type { ConsolidationOptions, DigestLimits, PruneLimits, TurnsKept } from "@chest/core";
import type { DueActivation } from "./activation.ts";
import type { Clusters } from "./clusters.ts";
import type { DueConfidence } from "./confidence.ts";
import type { DueExpiry } from "./expiry.ts";
import type { Risks } from "./forgetting.ts";
import type { DueMomentum } from "./momentum.ts";
import type { Prunable } from "./prune.ts";
import type { Outlived } from "./retention.ts";
import type { Relations } from "./supersession.ts";
import type { Where } from "./sweep-conditions.ts";
import type { OutlivedTurns } from "./turns.ts";

/** Questions that the thread answers, by name. */
export interface Questions {
  activation: { readonly given: Where; readonly gives: DueActivation };
  momentum: { readonly given: Where; readonly gives: DueMomentum };
  confidence: { readonly given: Where; readonly gives: DueConfidence };
  digest: { readonly given: Where & DigestLimits; readonly gives: Clusters };
  expiry: { readonly given: Where; readonly gives: DueExpiry };
  supersession: {
    readonly given: Where & { readonly minCosine: number };
    readonly gives: Relations;
  };
  consolidation: {
    /** The session in the options is this member's. */
    readonly given: Where & { readonly memberId: number; readonly options: ConsolidationOptions };
    readonly gives: Clusters;
  };
  forgetting: { readonly given: Where & { readonly cap: number }; readonly gives: Risks };
  prune: { readonly given: Where & PruneLimits; readonly gives: Prunable };
  conversations: { readonly given: Where & TurnsKept; readonly gives: OutlivedTurns };
  retention: { readonly given: Where; readonly gives: Outlived };
}

export type Ask = keyof Questions;

export interface Message<K extends Ask = Ask> {
  readonly id: number;
  readonly ask: K;
  readonly given: Questions[K]["given"];
}

export interface LifecycleReply {
  readonly id: number;
  readonly gives?: unknown;
  readonly error?: { readonly message: string; readonly code?: string | undefined };
}
