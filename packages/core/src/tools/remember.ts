import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { VISIBILITIES, type Visibility } from "../access/space.ts";
import { cited, otherKeys, warningLines } from "../answer-text.ts";
import { momentumBand } from "../lifecycle/momentum.ts";
import { canonical } from "../memory/canonical.ts";
import { ENTITY_KINDS, type EntityKind } from "../memory/entity.ts";
import { normaliseName } from "../memory/entity-name.ts";
import { expiryOf, readLayer } from "../memory/layer.ts";
import { isPinned, type Memory } from "../memory/memory.ts";
import { hashtagsOf, readTags, uniteTags } from "../memory/tags.ts";
import type { FoundEntity, NewMemory, Writes } from "../ports/store.ts";
import { redact } from "../redaction/redact.ts";
import { pastedRule } from "../text/pasted.ts";
import { wellFormed } from "../text/well-formed.ts";
import { defineTool, invalid } from "../tool.ts";
import { readCondition } from "../triggers/condition.ts";
import { round, seconds, some, type Warning } from "../wire.ts";
import { closeWork } from "../work/close-work.ts";
import { checkContent, mendedText } from "./content.ts";
import * as field from "./fields.ts";
import { supersedeAll } from "./supersede.ts";

const LAST_SECOND = 253_402_300_799; // The year 9999: later ones fit no date.

const input = z.object({
  entity_name: field.name().min(1).transform(wellFormed).describe("What this is about"),
  entity_kind: z.enum(ENTITY_KINDS),
  entity_key: field.name().transform(wellFormed).optional().describe("E-mail, domain, repository or path; unique"),
  layer: field.layer(),
  content: z.string().min(1),
  importance: field.importance().default(0.5),
  force: z.boolean().default(false).describe("Skip the paste filter and the duplicate check"),
  expires_at: z.int().positive().optional().describe("Unix seconds"),
  supersedes: z.array(field.id()).max(1000).optional().describe("Ids this memory replaces"),
  tags: field.tags().optional(),
  project: field.project().optional().describe("Key of another project than the current one"),
  closes_work: z
    .array(z.coerce.string().max(20))
    .max(50)
    .optional()
    .describe("Work items that this finishes: `W#17`, or the number in the list"),
  trigger: field.trigger().optional(),
  visibility: z
    .enum([...VISIBILITIES, "global"])
    .optional()
    .describe("Who may read it; the project by default, else the team"),
});

const skipped = z.looseObject({ id: z.int(), reason: z.string() });

const output = z.looseObject({
  ok: z.literal(true),
  memory_id: z.int().optional(),
  entity_id: z.int().optional(),
  layer: z.string().optional(),
  pinned: z.boolean().optional(),
  momentum: z.object({ score: z.number(), band: z.string() }).optional(),
  action: z.enum(["created", "duplicate"]).optional(),
  superseded: z.array(z.int()).optional(),
  skipped_protected: z.array(z.int()).optional(),
  skipped: z.array(skipped).optional(),
  closed_work: z.array(z.string()).optional(),
  embedding: field.embedding,
  warnings: field.warnings,
  ...field.queued,
});

export const remember = defineTool({
  name: "chest_remember",
  title: "chest: remember",
  description:
    "Save one lasting fact, decision, pitfall or state of work, in its own words. Use when a later session or a colleague would want it. Not for chat, logs or secrets. Layers: goal, context, emotion, implementation, realize (pitfalls), learning (decisions).",
  input,
  output,
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },

  text: rememberedText,

  async run(args, { store, clock, limits }, caller) {
    const layer = readLayer(args.layer);
    checkContent(args.content, limits.contentChars);
    if (!args.force) refusePasted(args.content);
    const text = canonical(args.content);
    const tags = uniteTags(readTags(args.tags ?? []), hashtagsOf(text.content));
    const name = redact(args.entity_name);
    const key = args.entity_key ? redact(args.entity_key) : undefined;
    const trigger = args.trigger === undefined ? undefined : readCondition(args.trigger);
    const now = clock.now();
    const projectKey = args.project === undefined ? caller.project : oneProject(args.project);
    const visibility = readVisibility(args.visibility, projectKey);
    const ownExpiry = args.expires_at === undefined ? undefined : Math.min(args.expires_at, LAST_SECOND);
    const expiresAt = ownExpiry === undefined ? expiryOf(layer, now) : new Date(ownExpiry * 1000);

    return store.write(async (tx) => {
      if (args.project !== undefined) await tx.sessions.workIn(args.project);
      const found = await tx.entities.findOrAdd({ name, kind: args.entity_kind, key, visibility, projectKey });
      const draft: NewMemory = {
        entity: found.entity,
        layer,
        text,
        tags: tags.kept,
        importance: args.importance,
        visibility,
        projectKey,
        expiresAt,
        hasOwnExpiry: ownExpiry !== undefined,
      };
      const twin = args.force ? undefined : await tx.memories.sameWords(draft);
      const memory = twin ? await unite(tx, twin, draft) : await tx.memories.add(draft);
      const entity = twin
        ? found.entity
        : await tx.entities.noteEvent(found.entity.id, "memory_stored", { memory_id: memory.id });
      if (trigger !== undefined) await tx.triggers.set(memory, trigger);
      const isEmbedded = twin !== undefined && (await tx.vectors.isEmbedded(twin));
      const replaced = await supersedeAll(tx, args.supersedes ?? [], memory);
      const closed = await closeWork(tx, args.closes_work ?? [], { projectKey, memory });
      const warnings = [
        ...(found.keyConflict === undefined ? [] : [KEY_KEPT]),
        ...nameWarnings(found, name, args.entity_kind),
        ...(tags.isCut ? [field.TAGS_CUT] : []),
        ...expiryWarnings(args.expires_at, memory, now),
        ...mendedText(args.content),
      ];
      return {
        ok: true as const,
        memory_id: memory.id,
        entity_id: entity.id,
        layer,
        pinned: isPinned(memory),
        momentum: { score: round(entity.momentum, 2), band: momentumBand(entity.momentum) },
        action: twin ? ("duplicate" as const) : ("created" as const),
        ...replaced,
        ...some("closed_work", closed),
        embedding: { status: isEmbedded ? ("ok" as const) : ("pending" as const) },
        ...some("warnings", warnings),
      };
    });
  },
});

const KEY_KEPT: Warning = {
  reason: "entity_key_kept",
  message: "this entity has another key already; the stored one was kept",
};
const ALREADY_EXPIRED: Warning = {
  reason: "already_expired",
  message: "expires_at is in the past: the memory fades at once",
};
const EXPIRY_KEPT: Warning = {
  reason: "expiry_kept",
  message: "the memory of these words keeps the expiry it has; `force` makes another one",
};
const EXPIRY_CUT: Warning = {
  reason: "expiry_cut",
  message: "expires_at is after the year 9999, whose last second it counts as: is it in milliseconds?",
};

/** Warns of a name and a kind that had no effect, since their key belongs to others. */
function nameWarnings({ entity, isKnownOtherwise }: FoundEntity, name: string, kind: EntityKind): Warning[] {
  if (!isKnownOtherwise) return [];
  const isNamed = normaliseName(entity.name) === normaliseName(name);
  const others = [...(isNamed ? [] : ["name"]), ...(entity.kind === kind ? [] : ["kind"])].join(" and ");
  return [
    {
      reason: "entity_name_kept",
      message: `the entity of this key has another ${others}: what is stored was kept, \`chest_list_entities\` shows it`,
    },
  ];
}

/** Warns of an expiry that was changed or ignored. */
function expiryWarnings(given: number | undefined, { expiresAt }: Memory, now: Date): Warning[] {
  if (given === undefined) return [];
  if (expiresAt === undefined || seconds(expiresAt) !== Math.min(given, LAST_SECOND)) return [EXPIRY_KEPT];
  if (given > LAST_SECOND) return [EXPIRY_CUT];
  return expiresAt <= now ? [ALREADY_EXPIRED] : [];
}

function refusePasted(content: string): void {
  const rule = pastedRule(content);
  if (!rule) return;
  throw new ChestError("REJECTED", `content: looks like pasted output (${rule})`, {
    hint: "say in a sentence what follows from it, or repeat with `force: true`",
    details: { rejected: "quality_check", reason: rule },
  });
}

function oneProject(key: string): string {
  if (key !== "*") return key;
  throw new ChestError("INVALID_INPUT", "project: a memory belongs to one project, and `*` is not one", {
    hint: "name its project, or leave `project` out and set `visibility` to `team`",
    details: { field: "project", given: key },
  });
}

function readVisibility(given: Visibility | "global" | undefined, projectKey: string | undefined): Visibility {
  if (given === "project" && projectKey === undefined) {
    throw invalid([{ path: "visibility", message: "`project` needs a project: name one, or use `team`" }]);
  }
  if (given === "global") return "team";
  return given ?? (projectKey === undefined ? "team" : "project");
}

/** The same words again: the row that is there takes over new tags and the higher importance. */
async function unite(tx: Writes, twin: Memory, draft: NewMemory): Promise<Memory> {
  const tags = uniteTags(twin.tags, draft.tags).kept;
  const importance = Math.max(twin.importance, draft.importance);
  if (tags.length === twin.tags.length && importance === twin.importance) return twin;
  return tx.memories.revise(twin, { tags, importance });
}

function rememberedText({
  ok,
  memory_id: id = 0,
  entity_id,
  layer,
  pinned,
  momentum,
  action,
  superseded = [],
  skipped_protected: kept = [],
  skipped = [],
  closed_work: closed = [],
  embedding,
  warnings,
  queued,
  queue_id,
  note,
  ...others
}: z.output<typeof output>): string {
  const stored = `stored [memory:${id}], layer ${layer}${pinned ? ", pinned" : ""}`;
  const done = action === "duplicate" ? `these words are stored already: [memory:${id}]` : stored;
  return [
    queued ? field.queuedText({ queue_id, note }) : done,
    ...(superseded.length > 0 ? [`replaced ${cited(superseded)}`] : []),
    ...(closed.length > 0 ? [`closed ${closed.join(", ")}`] : []),
    ...(kept.length > 0 ? [`protected, not replaced: ${cited(kept)}`] : []),
    ...skipped.map((each) => `not replaced: ${cited([each.id])} (${each.reason})`),
    ...warningLines(warnings),
    ...otherKeys(others),
  ].join("\n");
}
