import { intInRange, numberInRange, oneOf } from "./variables.ts";

/** Variables of maintenance, for every program that runs it: the backend, the client beside an agent, the CLI. */
export const UPKEEP_VARIABLES = {
  CHEST_MAINTENANCE_INTERVAL_SEC: intInRange(10, 86_400)
    .default(600)
    .describe("Shortest time between two maintenance runs, in seconds"),
  CHEST_MAINTENANCE_EVERY: intInRange(1, 10_000)
    .default(50)
    .describe("Stores after which maintenance is due, once the interval is over"),
  CHEST_AUTO_CONSOLIDATE: oneOf(["off", "captured", "all"])
    .default("captured")
    .describe("Which cold memories maintenance may consolidate unasked: none, those captured from sessions, or all"),
  CHEST_FORGET_SWEEP_CAP: intInRange(1, 10_000)
    .default(200)
    .describe("Most memories that one sweep, or one pass of maintenance, archives"),
  CHEST_PRUNE_DAYS: intInRange(0, 36_500)
    .default(0)
    .describe(
      "Days without a use after which maintenance prunes by itself; 0: only `chest-index up --pass prune` does, after 90",
    ),
  CHEST_PRUNE_CONFIDENCE: numberInRange(0, 1).default(0.5).describe("Only memories of less confidence are pruned"),
  CHEST_PRUNE_IMPORTANCE: numberInRange(0, 1).default(0.75).describe("Only memories of less importance are pruned"),
  CHEST_CONV_MAX_AGE_DAYS: intInRange(1, 36_500)
    .default(365)
    .describe("Days after which a captured turn of a conversation is archived"),
  CHEST_CONV_KEEP: intInRange(0, 1_000_000)
    .default(512)
    .describe("Turns of conversations that stay in each place whatever their age, the best by score and age"),
  CHEST_SUPERSEDE_COS: numberInRange(0.9, 1)
    .default(0.97)
    .describe("Cosine from which a newer memory of the same facts replaces an older one"),
} as const;

/**
 * Limits of pruning as the variables say; undefined where it is off.
 * @param asked days where no variable says any, for a run that a user asked for
 */
export function pruneLimits(
  values: {
    readonly CHEST_PRUNE_DAYS: number;
    readonly CHEST_PRUNE_CONFIDENCE: number;
    readonly CHEST_PRUNE_IMPORTANCE: number;
  },
  asked = 0,
) {
  const unusedDays = values.CHEST_PRUNE_DAYS || asked;
  if (unusedDays === 0) return undefined;
  return { unusedDays, below: values.CHEST_PRUNE_CONFIDENCE, importanceBelow: values.CHEST_PRUNE_IMPORTANCE };
}
