import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { otherKeys, warningLines } from "../answer-text.ts";
import { canonical } from "../memory/canonical.ts";
import { expiryOf, LAYER_RULES, type Layer, readLayer } from "../memory/layer.ts";
import { isPinned, isProtected, type Memory, stateOf } from "../memory/memory.ts";
import { hashtagsOf, readTags, uniteTags } from "../memory/tags.ts";
import type { Revision } from "../ports/store.ts";
import { defineTool, type Limits } from "../tool.ts";
import { readCondition } from "../triggers/condition.ts";
import { some, type Warning } from "../wire.ts";
import { checkContent, mendedText } from "./content.ts";
import * as field from "./fields.ts";

const input = z.object({
  memory_id: field.id(),
  content: z.string().min(1).optional(),
  layer: field.layer().optional(),
  importance: field.importance().optional(),
  add_tags: field.tags().optional(),
  remove_tags: field.tags().optional(),
  trigger: field.trigger().optional().meta({ emptyClears: true }),
  expected_version: z.int().positive().optional().describe("Refuse if it was changed since"),
});

const output = z.looseObject({
  ok: z.literal(true),
  memory_id: z.int().optional(),
  updated_fields: z.array(z.string()).optional(),
  pinned: z.boolean().optional(),
  version: z.int().optional(),
  embedding: field.embedding,
  warnings: field.warnings,
  ...field.queued,
});

export const updateMemory = defineTool({
  name: "chest_update_memory",
  title: "chest: update a memory",
  description:
    "Correct a memory in place: its text, layer, importance or tags. Use when what is stored is wrong or has moved on a little; the old wording stays as a version. Not for a new fact: remember that, and name what it supersedes.",
  input,
  output,
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },

  judge: (args, limits) => void readChanges(args, limits),
  text: updatedText,

  async run(args, { store, clock, limits }) {
    // What is too long is refused below, after existence: nothing is made of it before.
    const isReadable = args.content !== undefined && args.content.length <= limits.contentChars;
    const given = isReadable ? canonical(args.content ?? "") : undefined;
    const now = clock.now();
    return store.write(async (tx) => {
      const memory = await tx.memories.byId(args.memory_id);
      if (!memory) throw noSuchMemory(args.memory_id);
      const { layer, updatedFields, added, removed, trigger } = readChanges(args, limits);
      if (layer) refuseToRelease(memory, layer);
      checkVersion(memory, args.expected_version);
      const text = given?.contentHash === memory.contentHash ? undefined : given;
      const kept = memory.tags.filter((tag) => !removed.has(tag));
      // Without what is removed, with what is added and what new words bring along.
      const tags = uniteTags(kept, [...added, ...(text ? hashtagsOf(text.content) : [])]);
      const revision: Revision = {
        text,
        importance: args.importance === memory.importance ? undefined : args.importance,
        tags: isSame(tags.kept, memory.tags) ? undefined : tags.kept,
        ...(layer ? lifetime(memory, layer, now) : {}),
      };
      const isChange = args.trigger !== undefined || Object.values(revision).some((value) => value !== undefined);
      const revised = isChange ? await tx.memories.revise(memory, revision) : memory;
      if (args.trigger !== undefined) await tx.triggers.set(memory, trigger);
      if (text) await tx.entities.noteEvent(memory.entity.id, "memory_updated", { memory_id: memory.id });
      const isNoticed = args.importance !== undefined || isProtected(memory) !== isProtected(revised);
      return {
        ok: true as const,
        memory_id: memory.id,
        updated_fields: isNoticed ? [...updatedFields, "protected"] : updatedFields,
        pinned: isPinned(revised),
        version: revised.version,
        ...(text ? { embedding: { status: "pending" as const } } : {}),
        ...some("warnings", [
          ...(tags.isCut ? [field.TAGS_CUT] : []),
          ...(stateOf(revised) === "live" ? [] : [OUT_OF_SIGHT]),
          ...mendedText(args.content),
        ]),
      };
    });
  },
});

const OUT_OF_SIGHT: Warning = {
  reason: "archived",
  message:
    "the memory is archived and stays so: no recall finds the change unless it asks for what is archived; remember it again if it still holds",
};

export function noSuchMemory(id: number): ChestError {
  return new ChestError("NOT_FOUND", `memory ${id} not found`, {
    hint: "find the id with `chest_recall`",
    details: { id },
  });
}

const CHANGES = ["content", "layer", "importance", "add_tags", "remove_tags", "trigger"] as const;

/** Reads the requested changes; throws for values that no memory takes. */
function readChanges(args: z.output<typeof input>, { contentChars }: Limits) {
  if (args.content !== undefined) checkContent(args.content, contentChars);
  const layer = args.layer === undefined ? undefined : readLayer(args.layer);
  const trigger = args.trigger ? readCondition(args.trigger) : undefined;
  const updatedFields = CHANGES.filter((name) => args[name] !== undefined);
  if (updatedFields.length === 0) throw nothingGiven();
  const removed = new Set(readTags(args.remove_tags ?? [], "remove_tags"));
  return { layer, updatedFields, removed, trigger, added: readTags(args.add_tags ?? [], "add_tags") };
}

function nothingGiven(): ChestError {
  return new ChestError("INVALID_INPUT", "there is nothing to update", {
    hint: `give at least one of ${CHANGES.join(", ")}`,
    details: { accepted: CHANGES },
  });
}

function refuseToRelease(memory: Memory, layer: Layer): void {
  if (memory.layer !== "realize" || layer === "realize") return;
  throw new ChestError("PROTECTED", `memory ${memory.id} is a protected realize memory and keeps its layer`, {
    hint: "only the operator's `chest-index purge` removes a realize memory",
    details: { preserved: true, memory_id: memory.id, layer: memory.layer, reason: "realize" },
  });
}

function checkVersion(memory: Memory, expected: number | undefined): void {
  if (expected === undefined || expected === memory.version) return;
  throw new ChestError("VERSION_CONFLICT", `memory ${memory.id} is at version ${memory.version}, not ${expected}`, {
    hint: "recall it by id, then decide again",
    details: { expected, actual: memory.version },
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
  embedding,
  warnings,
  queued,
  queue_id,
  note,
  ...others
}: z.output<typeof output>): string {
  const now = `version ${version}${pinned ? ", pinned" : ""}`;
  return [
    queued ? field.queuedText({ queue_id, note }) : `updated [memory:${id}]: ${fields.join(", ")}; now ${now}`,
    ...warningLines(warnings),
    ...otherKeys(others),
  ].join("\n");
}
