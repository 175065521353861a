import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { canonical } from "../memory/canonical.ts";
import { expiryOf, type Layer, LAYER_RULES, readLayer } from "../memory/layer.ts";
import { isPinned, isProtected, type Memory } from "../memory/memory.ts";
import { MAX_TAGS, readTags } from "../memory/tags.ts";
import type { Revision } from "../ports/store.ts";
import { defineTool } from "../tool.ts";
import { checkContent } from "./content.ts";
import * as field from "./fields.ts";

const input = z.object({
  memory_id: field.id(),
  content: field.text().pipe(z.string().min(1)).optional(),
  layer: field.layer().optional(),
  importance: field.importance().optional(),
  add_tags: field.tags().optional(),
  remove_tags: field.tags().optional(),
  expected_version: z.int().positive().optional().describe("Refuse if somebody changed it since"),
});

const output = z.looseObject({
  ok: z.literal(true),
  memory_id: z.int().optional(),
  updated_fields: z.array(z.string()).optional(),
  pinned: z.boolean().optional(),
  version: z.int().optional(),
  embedding: field.embedding,
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

  async run(args, { store, clock, limits }) {
    const text = args.content === undefined ? undefined : canonical(args.content);
    const now = clock.now();
    return store.write(async (tx) => {
      const memory = await tx.memories.byId(args.memory_id);
      if (!memory) throw noSuchMemory(args.memory_id);
      if (args.content !== undefined) checkContent(args.content, limits.contentChars);
      if (text) checkContent(text.content, Number.POSITIVE_INFINITY);
      const layer = args.layer === undefined ? undefined : readLayer(args.layer);
      if (layer) refuseToRelease(memory, layer);
      const updatedFields = given(args);
      if (updatedFields.length === 0) throw nothingGiven();
      checkVersion(memory, args.expected_version);
      const isSameText = text?.contentHash === memory.contentHash;
      const revised = await tx.memories.revise(memory, {
        text: isSameText ? undefined : text,
        importance: args.importance,
        tags: tagsAfter(memory, args),
        ...(layer ? lifetime(memory, layer, now) : {}),
      });
      if (text && !isSameText) await tx.entities.noteEvent(memory.entity.id, "memory_updated", { memory_id: memory.id });
      const isNoticed = args.importance !== undefined || isProtected(memory) !== isProtected(revised);
      return {
        ok: true as const,
        memory_id: memory.id,
        updated_fields: isNoticed ? [...updatedFields, "protected"] : updatedFields,
        pinned: isPinned(revised),
        version: revised.version,
        ...(text && !isSameText ? { embedding: { status: "pending" as const } } : {}),
      };
    });
  },
});

export function noSuchMemory(id: number): ChestError {
  return new ChestError("NOT_FOUND", `memory ${id} not found`, {
    hint: "find the id with `chest_recall`",
    details: { id },
  });
}

const CHANGES = ["content", "layer", "importance", "add_tags", "remove_tags"] as const;

const given = (args: z.output<typeof input>): string[] => CHANGES.filter((name) => args[name] !== undefined);

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
    hint: "recall it by id, then decide anew",
    details: { expected, actual: memory.version },
  });
}

/** Another layer is another lifetime, counted from now; what a caller set stays, and a protected layer clears it. */
function lifetime(memory: Memory, layer: Layer, now: Date): Revision {
  if (layer === memory.layer) return {};
  if (LAYER_RULES[layer].isProtected) return { layer, expiresAt: null };
  return memory.hasOwnExpiry ? { layer } : { layer, expiresAt: expiryOf(layer, now) ?? null };
}

function tagsAfter(memory: Memory, { add_tags, remove_tags }: z.output<typeof input>): string[] | undefined {
  if (!add_tags && !remove_tags) return undefined;
  const removed = new Set(readTags(remove_tags ?? [], "remove_tags"));
  const kept = memory.tags.filter((tag) => !removed.has(tag));
  return [...new Set([...kept, ...readTags(add_tags ?? [], "add_tags")])].slice(0, MAX_TAGS);
}
