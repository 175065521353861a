import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { lacksScope } from "../access/refusals.ts";
import { cited, counted, noticedBlock, otherKeys } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { forgetTurns, isOfTurns } from "../conversation/forget-turns.ts";
import { type Memory, stateOf } from "../memory/memory.ts";
import { cut } from "../text/cut.ts";
import { defineTool, invalid, type ToolPorts } from "../tool.ts";
import * as field from "./fields.ts";
import { CHOOSES, forgetMany, forgottenManyText, isOfMany, MANY } from "./forget-many.ts";
import { refuseProtected } from "./refusals.ts";

const input = z.object({
  memory_id: field.id().optional().meta(CHOOSES),
  ...MANY,
  conversation_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "is not a conversation id")
    .optional()
    .describe("All, or with `text`")
    .meta(CHOOSES),
  text: z.string().min(1).max(1000).optional().meta(CHOOSES),
  dry_run: z.boolean().default(false).describe("Only a preview"),
  interactive: z.boolean().default(false).describe("Ask the human first"),
});

const output = z.looseObject({
  ok: z.literal(true),
  memory_id: z.int().optional(),
  archived: z.int().optional(),
  dry_run: z.boolean().optional(),
  would_archive: z.int().nullable().optional().describe("Its id; null where it is archived already"),
  preview: z.string().optional().describe("What would be archived, in one line"),
  scanned: z.int().optional(),
  to_drop: z.int().optional().describe("All that a sweep finds"),
  cap: z.int().optional(),
  affected: z.int().optional().describe("Archived by this sweep; in a dry run, what a run would archive"),
  remaining: z.int().optional().describe("Left for the next sweep"),
  to_compress: z.int().optional().describe("Candidates of a consolidation"),
  sample_ids_to_drop: z.array(z.int()).optional(),
  matched: z.int().optional().describe("All that meet the conditions"),
  ids: z.array(z.int()).optional().describe("Archived; in a preview, what would be"),
  kept: z
    .array(z.looseObject({ id: z.int(), reason: z.string() }))
    .optional()
    .describe("Protected"),
  not_live: z.array(z.looseObject({ id: z.int(), state: z.string() })).optional(),
  not_found: z.array(z.int()).optional(),
});

export const forget = defineTool({
  name: "chest_forget",
  title: "chest: forget a memory",
  description:
    "Archive a memory, or all with some tags, words or age; with no argument, sweep hardly used ones. Use when it is wrong or no longer wanted; it is not deleted, and can be restored. Keeps pitfalls, goals and pinned memories. Not for a correction: update it.",
  input,
  output,
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },

  text: forgottenText,

  async run({ memory_id, dry_run, interactive, conversation_id, text, ...many }, ports, caller) {
    const turns = { conversation_id, text, confirm: many.confirm };
    const isByChoice = isOfTurns(turns) || isOfMany({ ...many, dry_run });
    // A preview, and the memories that a text selects, show stored content.
    const isRead = dry_run || (isByChoice && !many.confirm) || text !== undefined || many.query !== undefined;
    if (isRead && !caller.scopes.has("read")) throw lacksScope("read");
    if (isOfTurns(turns)) {
      if (memory_id !== undefined) throw invalid([{ path: "memory_id", message: "goes alone, or not at all" }]);
      if (isOfMany({ ...many, confirm: false, dry_run: false })) {
        throw invalid([{ path: "conversation_id", message: "goes alone, or with `text`" }]);
      }
      if (interactive && turns.confirm && !dry_run) throw nobodyToAsk("the turns were kept");
      return forgetTurns({ ...turns, dry_run }, ports, caller.project);
    }
    if (isOfMany({ ...many, dry_run })) {
      if (memory_id !== undefined) throw invalid([{ path: "memory_id", message: "goes alone: put it into `ids`" }]);
      if (interactive && many.confirm && !dry_run) throw nobodyToAsk("the memories were kept");
      return forgetMany({ ...many, dry_run }, ports);
    }
    if (memory_id === undefined) return sweep({ dry_run, interactive }, ports);
    const { store } = ports;
    const found = refuseProtected(await store.memories.byId(memory_id), memory_id);
    if (dry_run) {
      const isLive = stateOf(found) === "live";
      const preview = isLive ? { preview: previewOf(found) } : {};
      return { ok: true as const, dry_run, would_archive: isLive ? memory_id : null, memory_id, ...preview };
    }
    // A client that can ask a user does so itself, and then calls without `interactive`.
    if (interactive) throw nobodyToAsk(`memory ${memory_id} was kept`, memory_id);
    return store.write(async (tx) => {
      const memory = refuseProtected(await tx.memories.byId(memory_id), memory_id);
      const isLive = stateOf(memory) === "live";
      if (isLive) {
        await tx.memories.archive(memory, "forget");
        await tx.entities.noteEvent(memory.entity.id, "memory_archived", { memory_id, reason: "forget" });
      }
      return { ok: true as const, archived: isLive ? 1 : 0, memory_id };
    });
  },
});

const SAMPLE = 10;

interface Sweep {
  readonly dry_run: boolean;
  readonly interactive: boolean;
}

/** Archives the memories with the highest risk, up to a cap; the next call continues. */
const sweep = (request: Sweep, ports: ToolPorts): Promise<z.input<typeof output>> =>
  request.dry_run ? swept(request, ports) : ports.store.once(() => swept(request, ports));

async function swept(
  { dry_run, interactive }: Sweep,
  { store, limits, signal }: ToolPorts,
): Promise<z.input<typeof output>> {
  const cap = limits.sweepCap;
  const plan = await store.sweeps.forgetting({ cap });
  const answerOf = (affected: number, ids: readonly number[]) => ({
    ok: true as const,
    dry_run,
    scanned: plan.scanned,
    to_drop: plan.toDrop,
    cap,
    affected,
    remaining: plan.toDrop - affected,
    to_compress: plan.toCompress,
    sample_ids_to_drop: ids.slice(0, SAMPLE),
  });
  if (dry_run) return answerOf(plan.due, plan.archives);
  if (interactive && plan.due > 0) throw nobodyToAsk(`${plan.due} memories were kept`);
  const { changed, archived } = await plan.apply({ signal });
  // Recorded last, so that a repeat under the same key gets this answer and archives nothing.
  return store.write(async () => answerOf(changed, archived));
}

const PREVIEW_CHARS = 120;

/** One-line preview of a memory, for the user's confirmation. */
const previewOf = ({ layer, entity, content }: Memory): string =>
  `${layer} / ${framed(entity.name)}: ${cut(framed(content), PREVIEW_CHARS)}`;

function nobodyToAsk(kept: string, id?: number): ChestError {
  return new ChestError("DECLINED", `${kept}: there is no human here to ask`, {
    hint: "ask the human yourself, then call without `interactive`",
    details: { declined: true, ...(id === undefined ? {} : { memory_id: id }), reason: "no_elicitation" },
  });
}

function forgottenText({
  ok,
  memory_id: id,
  archived,
  dry_run: isDry,
  would_archive: would,
  preview,
  scanned = 0,
  to_drop: found = 0,
  cap,
  affected = 0,
  remaining = 0,
  to_compress: toCompress = 0,
  sample_ids_to_drop: sample = [],
  matched,
  ids,
  kept,
  not_live,
  not_found,
  ...others
}: z.output<typeof output>): string {
  const many =
    matched === undefined ? undefined : { dry_run: isDry, matched, ids, kept, not_live, not_found, remaining };
  const sweep = [
    found === 0
      ? `there is nothing to archive: ${counted(scanned, "memory was", "memories were")} looked at`
      : `${isDry ? "would archive" : "archived"} ${affected} of ${counted(found, "memory", "memories")} that are hardly used (${scanned} looked at)`,
    ...(sample.length > 0 ? [`among them ${cited(sample)}`] : []),
    ...(remaining > 0 ? [`${remaining} are left for the next call`] : []),
    ...(toCompress > 0 ? [`${toCompress} could be consolidated`] : []),
  ];
  const name = cited([id ?? 0]);
  const isGone = isDry ? typeof would !== "number" : archived === 0;
  const one = isGone ? `${name} is archived already` : `${isDry ? "would archive" : "archived"} ${name}`;
  return [
    ...(many ? forgottenManyText(many) : id === undefined ? sweep : [one]),
    ...noticedBlock(preview === undefined ? [] : preview.split("\n").map(framed)),
    ...otherKeys(others),
  ].join("\n");
}
