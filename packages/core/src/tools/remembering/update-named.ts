import { round, some } from "../../answers/wire.ts";
import { momentumBand } from "../../lifecycle/momentum.ts";
import { isOver, isPinned, type Memory } from "../../memory/memory.ts";
import { uniteTags } from "../../memory/tags.ts";
import type { NewMemory, Writes } from "../../ports/store.ts";
import { flaggedText, redactedText } from "../content.ts";
import { addLinks } from "../links.ts";
import { refuseToRelease } from "../refusals.ts";
import { WAITS } from "../settle/promotion.ts";
import { putSources, sourceWarnings } from "../sources.ts";
import { supersedeAll } from "../supersede.ts";
import { USUAL_IMPORTANCE } from "./input.ts";
import { closeWork, OWN_EVERYWHERE, request } from "./parts.ts";
import type { Statement } from "./statement.ts";

/**
 * Stores a statement under an existing name: the named memory gets the new text, and the old text becomes a version.
 */
export async function updateNamed(tx: Writes, named: Memory, draft: NewMemory, statement: Statement) {
  const { args, isGuessed, metadata, name, projectKey, sources, text, trigger } = statement;
  const asNamed = isGuessed ? { ...draft, layer: named.layer, metadata: { ...metadata, name } } : draft;
  const answer = await revised(tx, named, asNamed, statement);
  if (trigger !== undefined) await tx.triggers.set(named, trigger);
  const ended = await closeWork(tx, args.closes_work ?? [], { projectKey, memory: named });
  await putSources(tx, named, sources, "all");
  await request(tx, named.id, draft);
  const warnings = [
    ...sourceWarnings(sources),
    ...redactedText(text.content),
    ...flaggedText({ content: text.content, title: metadata.title ?? named.title }),
    ...(draft.requestedVisibility === undefined ? [] : [WAITS]),
    ...(statement.isOwn ? [OWN_EVERYWHERE] : []),
  ];
  return { ...answer, ...some("closed_work", ended), ...some("warnings", warnings) };
}

async function revised(tx: Writes, named: Memory, draft: NewMemory, { args, links, now }: Statement) {
  const { supersedes = [], importance } = args;
  const { text, layer, tags, expiresAt, hasOwnExpiry, metadata, files = [] } = draft;
  refuseToRelease(named, layer);
  if (files.length > 0) await tx.memories.addFiles(named, files);
  const isNewText = text.contentHash !== named.contentHash;
  const memory = await tx.memories.revise(named, {
    ...(isNewText ? { text } : {}),
    layer,
    tags: uniteTags(named.tags, tags).kept,
    // The default importance does not replace one that was set.
    ...(importance === USUAL_IMPORTANCE ? {} : { importance }),
    ...(hasOwnExpiry || layer !== named.layer || isOver(named, now)
      ? { expiresAt: expiresAt ?? null, hasOwnExpiry }
      : {}),
    metadata,
  });
  await addLinks(tx, memory, links, "links");
  const entity = await tx.entities.noteEvent(named.entity.id, "memory_updated", { memory_id: named.id });
  return {
    ok: true as const,
    memory_id: memory.id,
    entity_id: entity.id,
    layer,
    pinned: isPinned(memory),
    momentum: { score: round(entity.momentum, 2), band: momentumBand(entity.momentum) },
    action: "updated" as const,
    ...(await supersedeAll(tx, supersedes, memory)),
    embedding: { status: (await tx.vectors.isEmbedded(memory)) ? ("ok" as const) : ("pending" as const) },
  };
}
