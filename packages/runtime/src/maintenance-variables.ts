import type { z } from "zod";
import { flag, intInRange, keepRule, numberInRange, oneOf, path, text } from "./variables.ts";

/** Variables of maintenance, for every program that runs it: the backend, the client beside an agent, the CLI. */
export const MAINTENANCE_VARIABLES = {
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
  CHEST_JOURNAL_DAYS: intInRange(1, 36_500)
    .default(90)
    .describe("Days that the journal of a session lives: requests, edits, commands, episodes, summaries"),
  CHEST_SUPERSEDE_COS: numberInRange(0.9, 1)
    .default(0.97)
    .describe("Cosine from which a newer memory of the same facts replaces an older one"),
} as const;

/** Variables of a store's backups, for every program that makes them by itself. */
export const BACKUP_VARIABLES = {
  CHEST_BACKUP_DIR: path().optional().describe("Folder for backups; `backups` in the data folder by default"),
  CHEST_BACKUP_INTERVAL_HOURS: intInRange(0, 720)
    .default(24)
    .describe("Hours between backups; 0 for manual backups only"),
  CHEST_BACKUP_KEEP: keepRule().describe("For how many days and weeks the newest backup of each is kept"),
} as const;

/** Variables of the limits of tools, for every program that answers them. */
export const limitVariables = (limits: { readonly contentChars: number; readonly queryEmbedMs: number }) => ({
  CHEST_MAX_CONTENT_CHARS: intInRange(1, 1_000_000)
    .default(limits.contentChars)
    .describe("Longest content of one memory, in UTF-16 units"),
  CHEST_RECALL_EMBED_TIMEOUT_MS: intInRange(50, 30_000)
    .default(limits.queryEmbedMs)
    .describe("How long a recall waits for the vector of its query"),
});

/** Variables of the model that orders the best hits, for every program that answers a recall. */
export const rerankVariables = (model: string) => ({
  CHEST_RERANK_ENABLED: flag()
    .default(false)
    .describe("Rerank the best hits of an answer, with a model that reads question and memory together"),
  CHEST_RERANK_MODEL: text().default(model).describe("That model"),
  CHEST_RERANK_TOP_N: intInRange(1, 200).default(20).describe("How many of the best hits are reranked"),
  CHEST_RERANK_TIMEOUT_MS: intInRange(100, 30_000).default(5000).describe("How long an answer waits for that"),
});

type Values = { readonly [K in keyof typeof MAINTENANCE_VARIABLES]: z.output<(typeof MAINTENANCE_VARIABLES)[K]> };

/** Settings of maintenance as the variables say. */
export const maintenanceSettings = (values: Values) => ({
  intervalMs: values.CHEST_MAINTENANCE_INTERVAL_SEC * 1000,
  everyStores: values.CHEST_MAINTENANCE_EVERY,
  forgetCap: values.CHEST_FORGET_SWEEP_CAP,
  consolidate: values.CHEST_AUTO_CONSOLIDATE,
  supersedeCosine: values.CHEST_SUPERSEDE_COS,
  prune: pruneLimits(values),
  journalDays: values.CHEST_JOURNAL_DAYS,
  turns: { maxAgeDays: values.CHEST_CONV_MAX_AGE_DAYS, keep: values.CHEST_CONV_KEEP },
});

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
