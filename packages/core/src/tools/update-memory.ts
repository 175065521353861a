import { ChestError } from "@chest/contracts";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { noSuchMemory } from "../access/refusals.ts";
import { waitsForReview } from "../access/review.ts";
import { VISIBILITIES, type Visibility } from "../access/space.ts";
import { cited, otherKeys, warningLines } from "../answers/answer-text.ts";
import { some, type Warning } from "../answers/wire.ts";
import { embedInWrite } from "../embedding/embed-in-write.ts";
import { canonical } from "../memory/canonical.ts";
import { flagsOf } from "../memory/flags.ts";
import { expiryOf, LAYER_RULES, type Layer, readLayer } from "../memory/layer.ts";
import { readLinks } from "../memory/link.ts";
import { isPinned, isProtected, type Memory, stateOf } from "../memory/memory.ts";
import { MAX_EVIDENCE, type Metadata } from "../memory/metadata.ts";
import { hashtagsOf, readTags, uniteTags } from "../memory/tags.ts";
import { judgedConfidence, VERDICTS } from "../memory/verdict.ts";
import type { Revision, Writes } from "../ports/store.ts";
import { defineTool, invalid, type Limits, type ToolPorts } from "../tool.ts";
import { readCondition } from "../triggers/condition.ts";
import {
  alikeStored,
  compareWithStored,
  comparisons,
  conflictWarnings,
  contradictionLines,
  withExcerpts,
} from "./comparisons.ts";
import { checkContent, flaggedText, mendedText, redactedText } from "./content.ts";
import * as field from "./fields.ts";
import { addLinks, HOW_LINKS_ARE_WRITTEN, linksField, removeLinks } from "./links.ts";
import { clean, cleanList, readMetadata } from "./metadata.ts";
import { refuseProtected, refuseToRelease } from "./refusals.ts";
import { promotionField, settlePromotion, WAITS } from "./settle/promotion.ts";
import { readSettle, type Settle, settledOutput, settledText, settleFields, settlePair } from "./settle/settle.ts";
import { putSources, readSources, sourceFields, sourceWarnings } from "./sources.ts";

const input = z.object({
  memory_id: field.id(),
  content: z.string().min(1).optional(),
  layer: field.layer().optional(),
  importance: field.importance().optional(),
  title: field.title().optional().meta({ emptyClears: true }),
  category: field.category().optional(),
  confidence: field.confidence().optional(),
  certainty: field.certainty().optional(),
  add_tags: field.tags().optional(),
  remove_tags: field.tags().optional(),
  trigger: field.trigger().optional().meta({ emptyClears: true }),
  add_evidence: field.evidence().optional(),
  remove_evidence: field.evidence().optional(),
  add_links: linksField().optional().describe(HOW_LINKS_ARE_WRITTEN),
  remove_links: linksField().optional(),
  ...sourceFields,
  visibility: z
    .enum([...VISIBILITIES, "global"])
    .optional()
    .describe("Raised by its author, lowered also by an admin"),
  to_project: z
    .string()
    .trim()
    .max(500)
    .optional()
    .meta({
      ...field.FROM_CLIENTS,
      emptyClears: true,
      description: "Key of the project that it moves to, by its author, or by an admin if all see it; empty: of none",
    }),
  archived: z.boolean().optional().describe("false: restore, whatever replaced it"),
  harmless: z.boolean().optional().describe("For admins, with a reason: clears its flags"),
  verdict: z
    .enum(VERDICTS)
    .optional()
    .meta({
      ...field.FROM_CLIENTS,
      description: "Of a reader: useful raises its confidence, wrong lowers it, withdrawn takes a useful back",
    }),
  ...settleFields,
  promotion: promotionField(),
  expected_version: z.int().positive().optional().describe("Refuse if it was changed since"),
});

const output = z.looseObject({
  ok: z.literal(true),
  memory_id: z.int().optional(),
  updated_fields: z.array(z.string()).optional(),
  pinned: z.boolean().optional(),
  version: z.int().optional(),
  contradicts: comparisons.contradicts,
  settled: settledOutput.optional(),
  embedding: field.embedding,
  warnings: field.warnings,
  ...field.queued,
});

export const updateMemory = defineTool({
  name: "chest_update_memory",
  title: "chest: update a memory",
  description:
    "Correct a memory in place, archive or restore it; what it was stays as a version. Use when what is stored is wrong or has moved on a little. Not for a new fact: remember that, and name what it supersedes.",
  input,
  output,
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },

  judge: (args, limits) => (readSettle(args) || args.promotion ? assertAlone(args) : void readChanges(args, limits)),
  text: updatedText,

  async run(args, { store, clock, limits, hasReview, ...embedding }, caller) {
    // A content that is too long is refused below, after the check that the memory exists.
    const isReadable = args.content !== undefined && args.content.length <= limits.contentChars;
    const given = isReadable ? canonical(args.content ?? "") : undefined;
    const now = clock.now();
    const answer = await store.write(async (tx) => {
      if (args.promotion !== undefined) return promotionOf(args, args.promotion, tx, caller);
      const memory = await tx.memories.byId(args.memory_id);
      if (!memory) throw noSuchMemory(args.memory_id);
      const asked = readSettle(args);
      if (asked) {
        assertAlone(args);
        return settleOf(args, asked, memory, tx, { clock, limits });
      }
      const { layer, updatedFields, added, removed, metadata, trigger, sources, ...changes } = readChanges(
        args,
        limits,
      );
      if (layer) refuseToRelease(memory, layer);
      checkVersion(memory, args.expected_version);
      if (changes.visibility) assertMoves(memory, changes.visibility, caller);
      if (args.to_project !== undefined) assertMovesProject(memory, caller);
      const isBack = args.archived === false && stateOf(memory) !== "live";
      const found = isBack ? await tx.memories.restore(memory, changes.reason) : memory;
      const text = given?.contentHash === memory.contentHash ? undefined : given;
      const kept = memory.tags.filter((tag) => !removed.has(tag));
      // Removes tags, then adds the given ones and the hashtags of a new text.
      const tags = uniteTags(kept, [...added, ...(text ? hashtagsOf(text.content) : [])]);
      const evidence = evidenceOf(found, changes);
      const revision: Revision = {
        text,
        importance: args.importance === memory.importance ? undefined : args.importance,
        tags: isSame(tags.kept, memory.tags) ? undefined : tags.kept,
        metadata: changed(found, {
          ...(args.verdict && { confidence: judgedConfidence(found.confidence, args.verdict) }),
          ...metadata,
          ...(evidence && { evidence }),
        }),
        ...(layer ? lifetime(memory, layer, now) : {}),
      };
      const isChange = args.trigger !== undefined || Object.values(revision).some((value) => value !== undefined);
      const revised = isChange ? await tx.memories.revise(found, revision, changes.reason ?? args.verdict) : found;
      if (args.verdict) await tx.memories.countVerdict(revised, args.verdict);
      const isMoved = changes.visibility !== undefined && changes.visibility !== memory.visibility;
      const isHeld = isMoved && waitsForReview(changes.visibility ?? "private", hasReview, caller);
      const to = { visibility: (!isHeld && changes.visibility) || memory.visibility, projectKey: args.to_project };
      const isPlaced = (isMoved && !isHeld) || args.to_project !== undefined;
      const lies = isPlaced ? await tx.memories.move(revised, to, changes.reason) : revised;
      const placed = isHeld ? await requested(tx, lies, changes.reason) : lies;
      const moved = args.harmless === undefined ? placed : await markHarmless(tx, placed, args, caller);
      if (args.trigger !== undefined) await tx.triggers.set(moved, trigger);
      await putSources(tx, moved, sources, "all");
      await addLinks(tx, moved, changes.addLinks, "add_links");
      const unlinked = await removeLinks(tx, moved, changes.removeLinks);
      const isPutAway = args.archived === true && stateOf(moved) === "live";
      if (isPutAway) await tx.memories.archive(refuseProtected(moved, moved.id), "forget", changes.reason);
      if (text) await tx.entities.noteEvent(moved.entity.id, "memory_updated", { memory_id: memory.id });
      const isEmbedded = text !== undefined && (await embedInWrite(tx, moved, { store, ...embedding }));
      if (text) await tx.conflicts.withdraw(moved);
      const isCompared = text !== undefined && !isPutAway && stateOf(moved) === "live";
      const compared = isCompared ? await compareWithStored(tx, moved, await alikeStored(tx, moved), false) : {};
      const isNoticed = args.importance !== undefined || isProtected(memory) !== isProtected(revised);
      const isOut = args.archived === undefined && stateOf(moved) !== "live";
      return {
        ok: true as const,
        memory_id: memory.id,
        updated_fields: isNoticed ? [...updatedFields, "protected"] : updatedFields,
        pinned: isPinned(revised),
        version: moved.version + Number(isPutAway),
        ...compared,
        ...(text ? { embedding: { status: isEmbedded ? ("ok" as const) : ("pending" as const) } } : {}),
        ...some("warnings", [
          ...conflictWarnings(compared),
          ...(tags.isCut ? [field.TAGS_CUT] : []),
          ...(isOut ? [OUT_OF_SIGHT] : []),
          ...(isHeld ? [WAITS] : []),
          ...sourceWarnings(sources),
          ...unlinked,
          ...mendedText(args.content),
          ...redactedText(text?.content),
          ...(text || revision.metadata?.title !== undefined ? flaggedText(moved) : []),
        ]),
      };
    });
    return withExcerpts(answer, store, caller);
  },
});

/** Settles the memory's contradiction with another one, if both have the versions that the caller knows. */
async function settleOf(
  { expected_version }: z.output<typeof input>,
  request: Settle,
  memory: Memory,
  tx: Writes,
  ports: Pick<ToolPorts, "clock" | "limits">,
) {
  const other = await tx.memories.byId(request.against);
  if (!other) throw noSuchMemory(request.against);
  checkVersion(memory, expected_version);
  checkVersion(other, request.version);
  const done = await settlePair({ ...request, memory, other }, tx, ports);
  const now = (await tx.memories.byId(memory.id)) ?? memory;
  return {
    ok: true as const,
    memory_id: memory.id,
    updated_fields: ["settle"],
    pinned: isPinned(now),
    version: now.version,
    settled: { against: other.id, how: request.how, ...done },
  };
}

const requested = async (tx: Writes, memory: Memory, reason: string | undefined): Promise<Memory> =>
  memory.requestedVisibility === undefined ? tx.promotions.request(memory, reason) : memory;

/** Approves or declines a pending memory, if it has the version that the caller knows. */
async function promotionOf(args: UpdateArguments, how: "approve" | "decline", tx: Writes, caller: Caller) {
  assertAlone(args);
  const reason = args.reason === undefined ? undefined : clean(args.reason);
  const check = (memory: Memory) => checkVersion(memory, args.expected_version);
  const memory = await settlePromotion(tx, { id: args.memory_id, how, reason, check }, caller);
  return {
    ok: true as const,
    memory_id: memory.id,
    updated_fields: ["promotion"],
    pinned: isPinned(memory),
    version: memory.version,
    visibility: memory.visibility,
  };
}

/**
 * Clears a memory's flags, or sets them again from its text. Its author may not clear them, because a deceived agent
 * would.
 */
async function markHarmless(
  { memories }: Writes,
  memory: Memory,
  { harmless, reason }: Pick<z.output<typeof input>, "harmless" | "reason">,
  { scopes }: Caller,
): Promise<Memory> {
  if (!scopes.has("admin")) throw notForAgents(memory);
  if (reason === undefined)
    throw invalid([{ path: "reason", message: "is needed: say why the text is harmless, or not" }]);
  const flags = harmless ? [] : flagsOf(memory);
  return isSame(flags, memory.flags) ? memory : memories.flag(memory, flags, clean(reason));
}

const notForAgents = ({ id }: Memory) =>
  new ChestError("FORBIDDEN", `the flags of memory ${id} are for an admin to take away`, {
    hint: "ask an admin, or correct the text so that it tells something instead of giving orders",
    details: { memory_id: id },
  });

const OUT_OF_SIGHT: Warning = {
  reason: "archived",
  message:
    "the memory is archived and stays so: no recall finds the change unless it asks for what is archived; `archived: false` brings it back",
};

const CHANGES = [
  "content",
  "layer",
  "importance",
  "title",
  "category",
  "confidence",
  "certainty",
  "add_tags",
  "remove_tags",
  "add_evidence",
  "remove_evidence",
  "add_links",
  "remove_links",
  "source",
  "visibility",
  "to_project",
  "archived",
  "harmless",
  "trigger",
  "verdict",
] as const;

type UpdateArguments = z.output<typeof input>;

/** Throws if a call that settles also changes something else. */
function assertAlone(args: UpdateArguments): void {
  const path = args.promotion === undefined ? "settle" : "promotion";
  const others: string[] = CHANGES.filter((name) => args[name] !== undefined);
  if (args.promotion !== undefined && args.settle !== undefined) others.push("settle");
  if (others.length > 0) throw invalid([{ path, message: `stands alone: leave ${others.join(", ")} out` }]);
}

/** Parses the requested changes; throws for invalid values. */
function readChanges(args: UpdateArguments, { contentChars }: Limits) {
  if (args.content !== undefined) checkContent(args.content, contentChars);
  const layer = args.layer === undefined ? undefined : readLayer(args.layer);
  const trigger = args.trigger ? readCondition(args.trigger) : undefined;
  const updatedFields = CHANGES.filter((name) => args[name] !== undefined);
  if (updatedFields.length === 0) throw nothingToChange();
  return {
    layer,
    trigger,
    updatedFields,
    removed: new Set(readTags(args.remove_tags ?? [], "remove_tags")),
    added: readTags(args.add_tags ?? [], "add_tags"),
    metadata: readMetadata({ ...args, evidence: undefined }),
    addedEvidence: cleanList(args.add_evidence),
    removedEvidence: new Set(cleanList(args.remove_evidence)),
    addLinks: readLinks(args.add_links, "add_links"),
    removeLinks: readLinks(args.remove_links, "remove_links"),
    sources: readSources(args),
    visibility: args.visibility === "global" ? ("team" as const) : args.visibility,
    reason: args.reason === undefined ? undefined : clean(args.reason),
  };
}

/** Evidence after removals and additions; undefined if unchanged. */
function evidenceOf(
  { evidence }: Memory,
  { addedEvidence, removedEvidence }: Pick<ReturnType<typeof readChanges>, "addedEvidence" | "removedEvidence">,
): readonly string[] | undefined {
  const all = [...new Set([...evidence.filter((each) => !removedEvidence.has(each)), ...addedEvidence])];
  if (all.length > MAX_EVIDENCE) {
    const message = `makes ${all.length} pieces of evidence, the limit is ${MAX_EVIDENCE}: take some out first`;
    throw invalid([{ path: "add_evidence", message }], { limit: MAX_EVIDENCE, actual: all.length });
  }
  return isSame(all, evidence) ? undefined : all;
}

/** Fields that differ; undefined if none does. */
function changed(memory: Memory, metadata: Partial<Metadata>): Partial<Metadata> | undefined {
  const entries = Object.entries(metadata).filter(([name, value]) => memory[name as keyof Metadata] !== value);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function nothingToChange(): ChestError {
  return new ChestError("INVALID_INPUT", "there is nothing to update", {
    hint: `give at least one of ${CHANGES.join(", ")}, or \`settle\``,
    details: { accepted: CHANGES },
  });
}

function checkVersion(memory: Memory, expected: number | undefined): void {
  if (expected === undefined || expected === memory.version) return;
  throw new ChestError("VERSION_CONFLICT", `memory ${memory.id} is at version ${memory.version}, not ${expected}`, {
    hint: "recall it by id, then decide again",
    details: { expected, actual: memory.version },
  });
}

/** Only the author may widen the visibility; the author or an admin may narrow it. */
function assertMoves(memory: Memory, to: Visibility, { member, scopes }: Caller): void {
  if (to === memory.visibility || member.id === memory.authorId) return;
  const isLower = VISIBILITIES.indexOf(to) < VISIBILITIES.indexOf(memory.visibility);
  if (isLower && scopes.has("admin")) return;
  throw new ChestError("FORBIDDEN", `memory ${memory.id} is another member's: its author alone shares it further`, {
    hint: isLower ? "ask its author or an admin" : "ask its author, or remember it in words of your own",
    details: { memory_id: memory.id, visibility: memory.visibility },
  });
}

/** Other projects have other readers: the author moves it there, and an admin one that the whole team reads anyway. */
function assertMovesProject({ id, authorId, visibility }: Memory, { member, scopes }: Caller): void {
  if (member.id === authorId || (visibility === "team" && scopes.has("admin"))) return;
  throw new ChestError("FORBIDDEN", `memory ${id} is another member's: its author alone moves it to another project`, {
    hint: "ask its author, or remember it there in words of your own",
    details: { memory_id: id, visibility },
  });
}

/** Another layer is another lifetime, counted from now; what a caller set stays, and a protected layer clears it. */
function lifetime(memory: Memory, layer: Layer, now: Date): Revision {
  if (layer === memory.layer) return {};
  if (LAYER_RULES[layer].isProtected) return { layer, expiresAt: null };
  return memory.hasOwnExpiry ? { layer } : { layer, expiresAt: expiryOf(layer, now) ?? null };
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((tag) => b.includes(tag));

function updatedText({
  ok,
  memory_id: id,
  updated_fields: fields = [],
  pinned,
  version,
  contradicts,
  embedding,
  warnings,
  queued,
  queue_id,
  note,
  settled,
  ...others
}: z.output<typeof output>): string {
  const now = `version ${version}${pinned ? ", pinned" : ""}`;
  return [
    queued
      ? field.queuedText({ queue_id, note })
      : settled
        ? `${settledText(id ?? 0, settled)}; ${cited([id ?? 0])} is now ${now}`
        : `updated [memory:${id}]: ${fields.join(", ")}; now ${now}`,
    ...contradictionLines(contradicts),
    ...warningLines(warnings),
    ...otherKeys(others),
  ].join("\n");
}
