import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { noticedBlock } from "../answer-text.ts";
import { cut } from "../cut.ts";
import { conflictOf } from "../lifecycle/merge-guard.ts";
import type { Memory } from "../memory/memory.ts";
import type { Store, Writes } from "../ports/store.ts";
import { framed } from "../recall/answer/sanitize-for-prompt.ts";
import { likenessOf } from "../recall/ranking/likeness.ts";
import { saysTheSame } from "../recall/ranking/same.ts";
import { contradiction } from "../statements/contradiction.ts";
import { some, type Warning } from "../wire.ts";

/** Stored memories that a save is held against: what is like it, most alike first. */
const MOST_ALIKE = 3;
const MAX_EXCERPT = 100;
/** Likeness from which a save is told what it nearly repeats: seven words in ten of both together stand in both. */
const ALIKE = 0.82;

/** Keys of a save's answer about what is stored beside it. */
export const comparisons = {
  contradicts: z.array(z.looseObject({ id: z.int(), reason: z.string(), excerpt: z.string().optional() })).optional(),
  similar: z.array(z.int()).optional(),
};

interface Compared {
  readonly contradicts?: { readonly id: number; readonly reason: string }[];
  readonly similar?: number[];
}

/**
 * Compares a memory with similar ones of the same subject and space, and links those that contradict it. It never
 * blocks: the readers of both decide which of two holds.
 * @param withSimilar name also those that say the same, or nearly
 */
export async function compareWithStored(tx: Writes, memory: Memory, withSimilar: boolean): Promise<Compared> {
  const contradicts: { id: number; reason: string }[] = [];
  const similar: number[] = [];
  for (const other of await tx.conflicts.alike(memory, MOST_ALIKE)) {
    if (withSimilar && saysTheSame(memory, other)) {
      similar.push(other.id);
      continue;
    }
    const reason = contradiction(memory.content, other.content)?.reason;
    if (reason && (await tx.conflicts.note(memory, other, reason))) contradicts.push({ id: other.id, reason });
    if (!reason && withSimilar && isNearlyTheSame(memory, other)) similar.push(other.id);
  }
  return { ...some("contradicts", contradicts), ...some("similar", similar) };
}

/** Whether two say the same but for a word or two, with nothing that speaks against it. */
const isNearlyTheSame = (memory: Memory, other: Memory): boolean =>
  likenessOf(memory, other) >= ALIKE && conflictOf(memory.content, other.content) === undefined;

/**
 * Adds to an answer the sentences that say otherwise, for a caller that may read. Not in the transaction: an answer is
 * kept without anything stored.
 */
export async function withExcerpts<T extends { readonly memory_id?: number; readonly contradicts?: unknown }>(
  answer: T,
  { memories }: Pick<Store, "memories">,
  { scopes }: Pick<Caller, "scopes">,
): Promise<T> {
  const found = answer.contradicts as Compared["contradicts"];
  if (found === undefined || answer.memory_id === undefined || !scopes.has("read")) return answer;
  const [own, ...others] = await memories.byIds([answer.memory_id, ...found.map(({ id }) => id)]);
  if (own?.id !== answer.memory_id) return answer;
  const contents = new Map(others.map(({ id, content }) => [id, content]));
  return {
    ...answer,
    contradicts: found.map((each) => {
      const content = contents.get(each.id);
      if (content === undefined) return each;
      return { ...each, excerpt: cut(contradiction(own.content, content)?.b ?? content, MAX_EXCERPT) };
    }),
  };
}

/** Warns that stored memories say otherwise. */
export function conflictWarnings({ contradicts = [] }: Compared): Warning[] {
  if (contradicts.length === 0) return [];
  const ids = contradicts.map(({ id }) => id).join(", ");
  const message = `possible contradiction with ${ids}: read both, then settle it with \`settle\` of \`chest_update_memory\``;
  return [{ reason: "possible_contradiction", message }];
}

/** Sentences of stored memories that say otherwise, to be read. */
export const contradictionLines = (found: z.output<typeof comparisons.contradicts>): string[] =>
  noticedBlock(
    (found ?? []).map(({ id, excerpt }) =>
      framed(`[memory:${id}] says otherwise${excerpt === undefined ? "" : `: ${excerpt}`}`),
    ),
  );
