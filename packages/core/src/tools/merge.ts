import { ChestError } from "@chest/contracts";
import { some } from "../answers/wire.ts";
import { type CanonicalText, derived } from "../memory/canonical.ts";
import { expiryOf } from "../memory/layer.ts";
import { isProtected, type Memory, stateOf } from "../memory/memory.ts";
import { MAX_EVIDENCE } from "../memory/metadata.ts";
import type { NewSource } from "../memory/source.ts";
import { uniteTags } from "../memory/tags.ts";
import type { Writes } from "../ports/store.ts";
import { checkContent } from "./content.ts";

const SENTENCE = /[^.!?。！？\n]+(?:[.!?。！？]+|\n|$)/gu;

/** Joins texts: each sentence once, in order. */
export function united(texts: readonly string[]): string {
  const said = new Set<string>();
  const parts = texts.map((text) =>
    (text.match(SENTENCE) ?? [text])
      .map((sentence) => sentence.trim())
      .filter((sentence) => {
        const plain = sentence
          .normalize("NFKC")
          .toLowerCase()
          .replace(/[\s\p{P}]+/gu, " ")
          .trim();
        if (sentence === "" || said.has(plain)) return false;
        said.add(plain);
        return true;
      })
      .join(" "),
  );
  return parts.filter((part) => part !== "").join("\n");
}

interface Merge {
  readonly now: Date;
  /** Text of the merged memory; undefined: all sentences of the originals, each once. */
  readonly text: CanonicalText | undefined;
  readonly mostChars: number;
}

/**
 * Merges live memories of one space into a new one, which gets their tags, evidence, files and sources, their highest
 * importance and confidence, and the category of the first. It replaces them. Protected memories stay and are named.
 */
export async function mergeAll(tx: Writes, memories: readonly Memory[], { now, text, mostChars }: Merge) {
  const [first, ...others] = memories;
  if (!first || others.length === 0) throw tooFew();
  for (const memory of memories) refuseToMerge(memory, first);
  const content = text?.content ?? united(memories.map((memory) => memory.content));
  checkContent(content, mostChars);
  const merged = await tx.memories.add({
    entity: { ...first.entity, canonicalKey: undefined },
    layer: first.layer,
    text: text ?? derived(content),
    tags: uniteTags(
      [],
      memories.flatMap((memory) => memory.tags),
    ).kept,
    importance: Math.max(...memories.map((memory) => memory.importance)),
    visibility: first.visibility,
    requestedVisibility: memories.find((memory) => memory.requestedVisibility)?.requestedVisibility,
    projectKey: undefined,
    beside: first,
    expiresAt: expiryOf(first.layer, now),
    hasOwnExpiry: false,
    metadata: {
      category: memories.find(({ category }) => category !== undefined)?.category,
      confidence: Math.max(...memories.map(({ confidence }) => confidence)),
      evidence: [...new Set(memories.flatMap(({ evidence }) => evidence))].slice(0, MAX_EVIDENCE),
    },
  });
  await tx.memories.takeFiles(merged, memories);
  await takeSources(tx, merged, memories);
  const replaced: number[] = [];
  const kept: number[] = [];
  for (const memory of memories) {
    if (isProtected(memory)) kept.push(memory.id);
    else {
      await tx.memories.supersede(memory, merged.id);
      replaced.push(memory.id);
    }
  }
  await tx.entities.noteEvent(first.entity.id, "memory_stored", { memory_id: merged.id });
  return { memory_id: merged.id, merged: replaced, ...some("kept", kept) };
}

/**
 * Copies sources with their recorded hashes, so that a file changed since then still counts as stale. Of one path, the
 * first source is used.
 */
async function takeSources(tx: Writes, merged: Memory, from: readonly Memory[]): Promise<void> {
  const byPath = new Map<string, NewSource>();
  for (const memory of from)
    for (const { path, line, endLine, hash, gitCommit } of await tx.sources.of(memory))
      if (!byPath.has(path)) byPath.set(path, { path, line, endLine, hash, gitCommit });
  if (byPath.size > 0) await tx.sources.put(merged, [...byPath.values()]);
}

function refuseToMerge(memory: Memory, first: Memory): void {
  if (stateOf(memory) !== "live") throw notLive(memory);
  if (memory.space === first.space) return;
  throw new ChestError("INVALID_INPUT", `memories ${first.id} and ${memory.id} are not seen by the same members`, {
    hint: "merge memories of one project and visibility; change the visibility of one first",
    details: { ids: [first.id, memory.id] },
  });
}

export const notLive = ({ id }: Memory): ChestError =>
  new ChestError("VERSION_CONFLICT", `memory ${id} was archived or replaced meanwhile`, {
    hint: "recall both by id, then decide again",
    details: { id },
  });

const tooFew = () =>
  new ChestError("INVALID_INPUT", "memory_ids: a merge needs two memories at least", {
    hint: "name the memories that say the same",
    details: { field: "memory_ids" },
  });
