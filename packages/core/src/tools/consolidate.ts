import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { lacksScope, noSuchMemory } from "../access/refusals.ts";
import { cited, counted, noticedBlock, otherKeys } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { round, some } from "../answers/wire.ts";
import { canonical } from "../memory/canonical.ts";
import type { PassOutcome } from "../ports/lifecycle.ts";
import { cut } from "../text/cut.ts";
import { defineTool, invalid, type ToolPorts } from "../tool.ts";
import { SAME_TAGS_FROM } from "../views/pairs.ts";
import { wordSummaries } from "../wording/word-summaries.ts";
import { checkContent } from "./content.ts";
import * as field from "./fields.ts";
import { mergeAll, united } from "./merge.ts";

const MAX_AGE_DAYS = 36_500;

const input = z.object({
  action: z
    .enum(["auto", "find", "merge"])
    .default("auto")
    .describe("find: pairs that say the same; merge: `memory_ids` into a new one"),
  memory_ids: z.array(field.id()).min(2).max(50).optional().describe("To merge"),
  merged_content: z.string().min(1).optional().describe("Theirs, each sentence once, by default"),
  similarity: z.number().min(0).max(1).default(SAME_TAGS_FROM).describe("Of find: least share of tags"),
  scope: z
    .enum(["all", "session"])
    .default("session")
    .describe("Of entities that this session wrote, if any; or of all"),
  min_age_days: z.number().min(0).max(MAX_AGE_DAYS).default(7).describe("Made and last used at least so long ago"),
  dry_run: z.boolean().default(false).describe("Only a preview"),
  use_llm: z.boolean().default(false).describe("A model words the summaries: the backend's, or yours by sampling"),
});

const pair = z.looseObject({
  ids: z.array(z.int()),
  likeness: z.number(),
  by: z.string(),
  excerpts: z.array(z.string()),
});

const output = z.looseObject({
  ok: z.literal(true),
  pairs: z.array(pair).optional(),
  memory_id: z.int().optional(),
  merged: z.array(z.int()).optional(),
  merged_content: z.string().optional(),
  dry_run: z.boolean().optional(),
  clusters: z.int().optional(),
  memories_replaced_if_run: z.int().optional(),
  memories_dropped_if_run: z.int().optional(),
  preview: z.array(z.looseObject({ entity: z.string(), layer: z.string(), count: z.int() })).optional(),
  hint: z.string().optional(),
  scanned: z.int().optional(),
  clustersCompressed: z.int().optional(),
  memoriesReplaced: z.int().optional(),
  memoriesDropped: z.int().optional(),
  learningIdsCreated: z.array(z.int()).optional(),
  has_more: z.boolean().optional().describe("The next call continues"),
  sampling: z
    .looseObject({
      applied: z.boolean(),
      reason: z.string().optional(),
      upgraded: z.int().optional(),
      declined: z.int().optional(),
      decline_reasons: z.array(z.string()).optional(),
    })
    .optional(),
});

type Sampling = NonNullable<z.output<typeof output>["sampling"]>;

const MOST_SHOWN = 20;
const NOTHING_DONE: PassOutcome = { changed: 0, archived: [], created: [] };

export const consolidate = defineTool({
  name: "chest_consolidate",
  title: "chest: consolidate",
  description:
    "Merge groups of cold memories on one topic into one learning each, which keeps all their words; the originals can be restored. Then sweeps hardly used memories. Use to tidy up, with `dry_run` first. Not to forget one memory.",
  input,
  output,
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },

  text: consolidatedText,

  async run(args, ports, caller) {
    checkAction(args);
    // A list of pairs and a preview show stored content.
    if ((args.action === "find" || args.dry_run) && !caller.scopes.has("read")) throw lacksScope("read");
    if (args.action === "find") return find(args, ports);
    if (args.action === "merge") return merge(args, ports);
    return args.dry_run ? compressed(args, ports, caller) : ports.store.once(() => compressed(args, ports, caller));
  },
});

/** Lets the backend's model reword new summaries, if it has one. */
async function worded(ids: readonly number[], { store, llm, signal }: ToolPorts): Promise<Sampling> {
  if (!llm) return { applied: false, reason: NO_MODEL };
  const { upgraded, reasons } = await wordSummaries(ids, store, llm, signal);
  return { applied: upgraded > 0, upgraded, declined: ids.length - upgraded, ...some("decline_reasons", reasons) };
}

type Args = z.output<typeof input>;

/** Compresses clusters and archives faded memories; a dry run only counts. */
async function compressed(
  { scope, min_age_days, dry_run, use_llm }: Args,
  ports: ToolPorts,
  caller: Caller,
): Promise<z.input<typeof output>> {
  const { store, limits, embedders, signal } = ports;
  const cap = limits.sweepCap;
  const plan = await store.sweeps.consolidation({
    minAgeDays: min_age_days,
    maxChars: limits.contentChars,
    cap,
    onlyCaptured: false,
    session: scope === "session" ? caller.client.session : undefined,
    areVectorsComing: (await embedders((await store.identities()).active).state()).isUsable,
  });
  const left = (replaced: number) => Math.max(0, cap - replaced);

  if (dry_run) {
    const dropping = await store.sweeps.forgetting({ cap: left(plan.due), without: plan.archives });
    return {
      ok: true as const,
      dry_run,
      clusters: plan.clusters.length,
      memories_replaced_if_run: plan.due,
      memories_dropped_if_run: dropping.due,
      preview: plan.clusters.slice(0, MOST_SHOWN),
      has_more: plan.hasMore,
      hint: hintFor(plan.clusters.length, plan.scanned),
    };
  }

  const merged = await plan.apply({ signal });
  const room = left(merged.changed);
  const dropped = room === 0 ? NOTHING_DONE : await (await store.sweeps.forgetting({ cap: room })).apply({ signal });
  const sampling = use_llm ? await worded(merged.created, ports) : undefined;
  // Recorded last, so that a repeat under the same key gets this answer and does nothing.
  return store.write(async () => ({
    ok: true as const,
    scanned: plan.scanned,
    clustersCompressed: merged.created.length,
    memoriesReplaced: merged.changed,
    memoriesDropped: dropped.changed,
    learningIdsCreated: [...merged.created],
    has_more: plan.hasMore,
    ...(sampling && { sampling }),
  }));
}

/** Each action has its own arguments: one of another action would be ignored. */
function checkAction({ action, memory_ids, merged_content }: Args): void {
  if (action === "merge" && memory_ids === undefined)
    throw invalid([{ path: "memory_ids", message: "is needed for a merge: name two memories at least" }]);
  const given = Object.entries({ memory_ids, merged_content }).filter(([, value]) => value !== undefined);
  const [excess] = action === "merge" ? [] : given;
  if (excess) throw invalid([{ path: excess[0], message: "is only for `action` merge" }]);
}

/** Lists near duplicates; nothing is changed. */
async function find({ similarity }: Args, { store }: ToolPorts) {
  const found = await store.conflicts.duplicates({
    reach: "here",
    tagLikeness: similarity,
    limit: MOST_SHOWN,
    offset: 0,
  });
  return {
    ok: true as const,
    total: found.total,
    has_more: found.total > found.pairs.length,
    pairs: found.pairs.map(({ newer, older, likeness, by }) => ({
      ids: [newer.id, older.id],
      likeness: round(likeness, 3),
      by,
      excerpts: [cut(newer.content, MAX_EXCERPT), cut(older.content, MAX_EXCERPT)],
    })),
  };
}

/** Merges memories into one, in the given order. */
async function merge({ memory_ids: ids = [], merged_content, dry_run }: Args, { store, clock, limits }: ToolPorts) {
  if (merged_content !== undefined) checkContent(merged_content, limits.contentChars);
  const text = merged_content === undefined ? undefined : canonical(merged_content);
  return store.write(async (tx) => {
    const memories = await tx.memories.byIds(ids);
    const missing = ids.find((id) => !memories.some((memory) => memory.id === id));
    if (missing !== undefined) throw noSuchMemory(missing);
    if (dry_run) {
      const said = merged_content ?? united(memories.map(({ content }) => content));
      return { ok: true as const, dry_run, merged: memories.map(({ id }) => id), merged_content: said };
    }
    return {
      ok: true as const,
      ...(await mergeAll(tx, memories, { now: clock.now(), text, mostChars: limits.contentChars })),
    };
  });
}

const MAX_EXCERPT = 100;

// If the agent offers its model, the client asks that model afterwards and replaces this note.
const NO_MODEL = "no model is asked here: the summaries quote; `chest-memory` on stdio asks the agent's";

function hintFor(clusters: number, scanned: number): string {
  if (clusters > 0) return "call without `dry_run` to do this; `chest-index unarchive` undoes it";
  if (scanned > 0) return `${scanned} memories are cold enough, but no two of them are about one topic`;
  return "nothing is cold and old enough; a smaller `min_age_days` or `scope` all looks at more";
}

function consolidatedText({
  ok,
  pairs,
  memory_id: into,
  merged: replacedBy = [],
  merged_content: said,
  dry_run: isDry,
  clusters = 0,
  memories_replaced_if_run: wouldReplace = 0,
  memories_dropped_if_run: wouldDrop = 0,
  preview = [],
  hint,
  scanned = 0,
  clustersCompressed: merged = 0,
  memoriesReplaced: replaced = 0,
  memoriesDropped: dropped = 0,
  learningIdsCreated: created = [],
  has_more: hasMore,
  sampling,
  ...others
}: z.output<typeof output>): string {
  const memories = (count: number) => counted(count, "memory", "memories");
  const plan =
    wouldReplace + wouldDrop === 0
      ? "would change nothing"
      : `would put ${memories(wouldReplace)} into ${counted(clusters, "learning")}, and archive ${wouldDrop} that are hardly used`;
  const done =
    replaced + dropped === 0
      ? `there is nothing to consolidate: ${memories(scanned)} looked at`
      : `put ${memories(replaced)} into ${counted(merged, "learning")} (${scanned} looked at), and archived ${dropped} that are hardly used`;
  if (pairs) return pairsText(pairs, others);
  if (said !== undefined) {
    return [`would merge ${cited(replacedBy)} into:`, ...noticedBlock([framed(said)]), ...otherKeys(others)].join("\n");
  }
  if (into !== undefined) {
    return [`merged ${cited(replacedBy)} into ${cited([into])}`, ...otherKeys(others)].join("\n");
  }
  return [
    isDry ? plan : done,
    ...(created.length > 0 ? [`new: ${cited(created)}`] : []),
    ...noticedBlock(preview.map(({ entity, layer, count }) => framed(`${entity}, ${layer}: ${memories(count)}`))),
    ...(hasMore ? ["there is more: the next call continues"] : []),
    ...(sampling ? [samplingText(sampling)] : []),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ...otherKeys(others),
  ].join("\n");
}

function pairsText(pairs: readonly z.output<typeof pair>[], others: Readonly<Record<string, unknown>>): string {
  const lines = pairs.flatMap(({ ids, likeness, by, excerpts }) => [
    `${cited(ids)}: ${Math.round(100 * likeness)} % of their ${by}`,
    ...excerpts.map((excerpt) => `  ${framed(excerpt)}`),
  ]);
  return [`${counted(pairs.length, "pair")} that say much the same`, ...noticedBlock(lines), ...otherKeys(others)].join(
    "\n",
  );
}

function samplingText({ applied, reason, upgraded = 0, declined = 0, decline_reasons: why = [] }: Sampling): string {
  if (!applied && reason !== undefined) return `not worded by your model: ${reason}`;
  const rest = declined > 0 ? `, ${declined} not${why.length > 0 ? ` (${why.join("; ")})` : ""}` : "";
  return `worded by your model: ${counted(upgraded, "summary", "summaries")}${rest}`;
}
