import { round, seconds, some, type Warning } from "../../answers/wire.ts";
import { momentumBand } from "../../lifecycle/momentum.ts";
import type { EntityKind } from "../../memory/entity.ts";
import { normaliseName } from "../../memory/entity-name.ts";
import { isPinned, LAST_SECOND, type Memory } from "../../memory/memory.ts";
import { MAX_EVIDENCE, type Metadata } from "../../memory/metadata.ts";
import { uniteTags } from "../../memory/tags.ts";
import type { FoundEntity, NewMemory, Writes } from "../../ports/store.ts";
import { alikeStored, compareWithStored, conflictWarnings, twinAmong } from "../comparisons.ts";
import { flaggedText, mendedText, redactedText } from "../content.ts";
import { TAGS_CUT } from "../fields.ts";
import { addLinks } from "../links.ts";
import { WAITS } from "../settle/promotion.ts";
import { putSources, sourceWarnings } from "../sources.ts";
import { supersedeAll } from "../supersede.ts";
import { closeWork, OWN_EVERYWHERE, request } from "./parts.ts";
import type { Statement } from "./statement.ts";

/** Entity of a statement, with the name and kind that it was looked up by. */
export interface Subject extends FoundEntity {
  readonly asked: { readonly name: string; readonly kind: EntityKind };
}

/**
 * Stores a statement without a known name: as a new row, or in the row that says the same. Replaces, closes and links
 * what the caller names, and compares it with stored memories.
 * @param embed embeds within the write, if that is cheap; returns whether it did
 */
export async function keepStatement(
  tx: Writes,
  draft: NewMemory,
  { statement, subject }: { readonly statement: Statement; readonly subject: Subject },
  embed: (memory: Memory) => Promise<boolean>,
) {
  const { args, links, now, projectKey, sources, tags, text, trigger } = statement;
  // A subject that was just created has no memories.
  const { twin, alike } = subject.isNew ? NOTHING_STORED : await sameStored(tx, draft, statement);
  const memory = twin ? await unite(tx, twin, draft) : await tx.memories.add(draft);
  if (twin) await request(tx, twin.id, draft);
  const entity = twin
    ? subject.entity
    : await tx.entities.noteEvent(subject.entity.id, "memory_stored", { memory_id: memory.id });
  if (trigger !== undefined) await tx.triggers.set(memory, trigger);
  await addLinks(tx, memory, links, "links");
  await putSources(tx, memory, sources);
  const hasVector = twin !== undefined && (await tx.vectors.isEmbedded(twin));
  const isEmbedded = hasVector || (await embed(memory));
  const replaced = await supersedeAll(tx, args.supersedes ?? [], memory);
  const closed = await closeWork(tx, args.closes_work ?? [], { projectKey, memory });
  const compared = twin ? {} : await compareWithStored(tx, memory, notReplaced(alike, replaced), !args.force);
  const warnings = [
    ...conflictWarnings(compared),
    ...(subject.keyConflict === undefined ? [] : [KEY_KEPT]),
    ...nameWarnings(subject),
    ...(tags.isCut ? [TAGS_CUT] : []),
    ...sourceWarnings(sources),
    ...expiryWarnings(args.expires_at, memory, now),
    ...mendedText(args.content),
    ...redactedText(text.content),
    ...(twin ? [] : flaggedText(memory)),
    ...(draft.requestedVisibility === undefined ? [] : [WAITS]),
    ...(statement.isOwn ? [OWN_EVERYWHERE] : []),
  ];
  return {
    ok: true as const,
    memory_id: memory.id,
    entity_id: entity.id,
    layer: statement.layer,
    ...(statement.guessedCategory === undefined ? {} : { category: statement.guessedCategory }),
    pinned: isPinned(memory),
    momentum: { score: round(entity.momentum, 2), band: momentumBand(entity.momentum) },
    action: actionOf(memory, twin),
    ...replaced,
    ...some("closed_work", closed),
    ...compared,
    embedding: { status: isEmbedded ? ("ok" as const) : ("pending" as const) },
    ...some("warnings", warnings),
  };
}

const NOTHING_STORED = { twin: undefined, alike: [] };

/** The stored row of the same statement, if any, and other similar memories. */
async function sameStored(tx: Writes, draft: NewMemory, { args }: Statement) {
  const exact = args.force ? undefined : await tx.memories.sameWords(draft);
  if (exact) return { twin: exact, alike: [] };
  const alike = await alikeStored(tx, draft);
  const kept = alike.filter(({ id }) => !args.supersedes?.includes(id));
  return { twin: args.force ? undefined : twinAmong(kept, draft), alike };
}

const actionOf = (memory: Memory, twin: Memory | undefined) => {
  if (twin === undefined) return "created" as const;
  return memory === twin ? ("duplicate" as const) : ("merged" as const);
};

const notReplaced = (alike: readonly Memory[], { superseded = [] }: { readonly superseded?: readonly number[] }) =>
  alike.filter(({ id }) => !superseded.includes(id));

/** For a repeated statement, the stored row gets the new tags, evidence and files, and fields that it lacked. */
async function unite(tx: Writes, twin: Memory, draft: NewMemory): Promise<Memory> {
  const tags = uniteTags(twin.tags, draft.tags).kept;
  const importance = Math.max(twin.importance, draft.importance);
  const metadata = unitedMetadata(twin, draft.metadata ?? {});
  const isNew = Object.keys(metadata).length > 0;
  const isSame = tags.length === twin.tags.length && importance === twin.importance && !isNew;
  if (draft.files?.length) await tx.memories.addFiles(twin, draft.files);
  return isSame ? twin : tx.memories.revise(twin, { tags, importance, ...(isNew ? { metadata } : {}) });
}

function unitedMetadata(twin: Memory, { title, category, confidence, evidence = [], name }: Partial<Metadata>) {
  const all = [...new Set([...twin.evidence, ...evidence])].slice(0, MAX_EVIDENCE);
  return {
    ...(title !== undefined && twin.title === undefined ? { title } : {}),
    ...(name !== undefined && twin.name === undefined ? { name } : {}),
    ...(category !== undefined && twin.category === undefined ? { category } : {}),
    ...(confidence !== undefined && confidence > twin.confidence ? { confidence } : {}),
    ...(all.length > twin.evidence.length ? { evidence: all } : {}),
  };
}

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

/** Warns that name and kind had no effect, because the key belongs to another entity. */
function nameWarnings({ entity, isKnownOtherwise, asked }: Subject): Warning[] {
  if (!isKnownOtherwise) return [];
  const isNamed = normaliseName(entity.name) === normaliseName(asked.name);
  const others = [...(isNamed ? [] : ["name"]), ...(entity.kind === asked.kind ? [] : ["kind"])].join(" and ");
  return [
    {
      reason: "entity_name_kept",
      message: `the entity of this key has another ${others}: the stored one was kept, \`chest_list_entities\` shows it`,
    },
  ];
}

/** Warns of an expiry that was changed or ignored. */
function expiryWarnings(input: number | undefined, { expiresAt }: Memory, now: Date): Warning[] {
  if (input === undefined) return [];
  if (expiresAt === undefined || seconds(expiresAt) !== Math.min(input, LAST_SECOND)) return [EXPIRY_KEPT];
  if (input > LAST_SECOND) return [EXPIRY_CUT];
  return expiresAt <= now ? [ALREADY_EXPIRED] : [];
}
