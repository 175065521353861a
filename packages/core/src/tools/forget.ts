import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { cited, counted, noticedBlock, otherKeys } from "../answer-text.ts";
import { cut } from "../cut.ts";
import { isPinned, isProtected, type Memory, stateOf } from "../memory/memory.ts";
import { framed } from "../recall/answer/sanitize-for-prompt.ts";
import { defineTool, type ToolPorts } from "../tool.ts";
import * as field from "./fields.ts";
import { noSuchMemory } from "./update-memory.ts";

const input = z.object({
  memory_id: field.id().optional().describe("Left out: sweep what is hardly used"),
  dry_run: z.boolean().default(false).describe("Say what would happen, change nothing"),
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
});

export const forget = defineTool({
  name: "chest_forget",
  title: "chest: forget a memory",
  description:
    "Put a memory out of sight; without an id, sweep those hardly anybody uses. Use when it is wrong or no longer wanted; it is archived, not deleted, and an operator can bring it back. Keeps pitfalls, goals and pinned memories. Not for a correction: update it.",
  input,
  output,
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },

  text: forgottenText,

  async run({ memory_id, dry_run, interactive }, ports) {
    if (memory_id === undefined) return sweep({ dry_run, interactive }, ports);
    const { store } = ports;
    const found = refuseProtected(await store.memories.byId(memory_id), memory_id);
    if (dry_run) {
      const isLive = stateOf(found) === "live";
      const preview = isLive ? { preview: previewOf(found) } : {};
      return { ok: true as const, dry_run, would_archive: isLive ? memory_id : null, memory_id, ...preview };
    }
    // Whoever can ask a human does so beside the agent, and then calls without `interactive`.
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

/** Archives what is most at risk of never being missed, up to a cap; the next call goes on. */
const sweep = (asked: Sweep, ports: ToolPorts): Promise<z.input<typeof output>> =>
  asked.dry_run ? swept(asked, ports) : ports.store.once(() => swept(asked, ports));

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
  // Last, so that a repeat under the same key is told this and sweeps nothing.
  return store.write(async () => answerOf(changed, archived));
}

const PREVIEW_CHARS = 120;

/** One-line preview of a memory, for the user who is asked. */
const previewOf = ({ layer, entity, content }: Memory): string =>
  `${layer} / ${framed(entity.name)}: ${cut(framed(content), PREVIEW_CHARS)}`;

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
  ...others
}: z.output<typeof output>): string {
  const sweep = [
    found === 0
      ? `there is nothing to archive: ${counted(scanned, "memory was", "memories were")} looked at`
      : `${isDry ? "would archive" : "archived"} ${affected} of ${counted(found, "memory", "memories")} that hardly anybody uses (${scanned} looked at)`,
    ...(sample.length > 0 ? [`among them ${cited(sample)}`] : []),
    ...(remaining > 0 ? [`${remaining} are left for the next call`] : []),
    ...(toCompress > 0 ? [`${toCompress} could be consolidated`] : []),
  ];
  const name = cited([id ?? 0]);
  const isGone = isDry ? typeof would !== "number" : archived === 0;
  const one = isGone ? `${name} is archived already` : `${isDry ? "would archive" : "archived"} ${name}`;
  return [
    ...(id === undefined ? sweep : [one]),
    ...noticedBlock(preview === undefined ? [] : [framed(preview)]),
    ...otherKeys(others),
  ].join("\n");
}
