import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { isPinned, isProtected, type Memory, stateOf } from "../memory/memory.ts";
import { framed } from "../recall/frame.ts";
import { defineTool } from "../tool.ts";
import * as field from "./fields.ts";
import { noSuchMemory } from "./update-memory.ts";

const input = z.object({
  memory_id: field.id(),
  dry_run: z.boolean().default(false).describe("Say what would happen, change nothing"),
  interactive: z.boolean().default(false).describe("Ask the human first"),
});

const output = z.looseObject({
  ok: z.literal(true),
  memory_id: z.int().optional(),
  archived: z.int().optional(),
  dry_run: z.boolean().optional(),
  would_archive: z.int().nullable().optional(),
  preview: z.string().optional().describe("What would be archived, in one line"),
});

export const forget = defineTool({
  name: "chest_forget",
  title: "chest: forget a memory",
  description:
    "Put one memory out of sight. Use when it is wrong or no longer wanted; it is archived, not deleted, and an operator can bring it back. Refuses pitfalls, goals and pinned memories. Not for a correction: update it.",
  input,
  output,
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },

  async run({ memory_id, dry_run, interactive }, { store }) {
    const found = refuseProtected(await store.memories.byId(memory_id), memory_id);
    if (dry_run) {
      const isLive = stateOf(found) === "live";
      const preview = isLive ? { preview: previewOf(found) } : {};
      return { ok: true as const, dry_run, would_archive: isLive ? memory_id : null, memory_id, ...preview };
    }
    // Whoever can ask a human does so beside the agent, and then calls without `interactive`.
    if (interactive) throw nobodyToAsk(memory_id);
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

const PREVIEW_CHARS = 120;

/** What a human is shown who is asked: one line, as text. */
function previewOf({ layer, entity, content }: Memory): string {
  const points = Array.from(framed(content));
  const text = points.length > PREVIEW_CHARS ? `${points.slice(0, PREVIEW_CHARS).join("")}…` : points.join("");
  return `${layer} / ${framed(entity.name)}: ${text}`;
}

function refuseProtected(memory: Memory | undefined, id: number): Memory {
  if (!memory) throw noSuchMemory(id);
  if (!isProtected(memory)) return memory;
  const reason = memory.layer === "realize" || memory.layer === "goal" ? memory.layer : "pinned";
  throw new ChestError("PROTECTED", `memory ${id} is protected (${reason}) and was kept`, {
    hint: wayOut(memory),
    details: { preserved: true, memory_id: id, layer: memory.layer, reason },
  });
}

function wayOut(memory: Memory): string {
  if (memory.layer === "realize") return "only the operator's `chest-index purge` removes a realize memory";
  const unpin = isPinned(memory) ? "set its importance below 0.9 with `chest_update_memory`" : undefined;
  const release = memory.layer === "goal" ? "give it another layer with `chest_update_memory`" : undefined;
  return [...[release, unpin].filter(Boolean), "then forget it"].join(", ");
}

function nobodyToAsk(id: number): ChestError {
  return new ChestError("DECLINED", `memory ${id} was kept: there is nobody here to ask`, {
    hint: "ask the human yourself, then call without `interactive`",
    details: { declined: true, memory_id: id, reason: "no_elicitation" },
  });
}
