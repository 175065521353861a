import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { noticedBlock } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { some, type Warning } from "../answers/wire.ts";
import type { Memory } from "../memory/memory.ts";
import type { NewMemory, Store, Writes } from "../ports/store.ts";
import { contradiction } from "../statements/contradiction.ts";
import { isOneStatement } from "../statements/one-statement.ts";
import { samenessOf } from "../statements/same.ts";
import { cut } from "../text/cut.ts";

/** Number of similar stored memories that a save is compared with. */
const MOST_ALIKE = 3;
const MAX_EXCERPT = 100;

/** Fields of a save's answer about similar stored memories. */
export const comparisons = {
  contradicts: z.array(z.looseObject({ id: z.int(), reason: z.string(), excerpt: z.string().optional() })).optional(),
  similar: z.array(z.int()).optional(),
};

interface Compared {
  readonly contradicts?: { readonly id: number; readonly reason: string }[];
  readonly similar?: number[];
}

/** Live memories of the same subject and space, most similar first. */
export const alikeStored = (tx: Writes, memory: Memory | NewMemory): Promise<readonly Memory[]> =>
  tx.conflicts.alike(memory, MOST_ALIKE);

/** The stored memory that already makes the draft's statement, in another spelling. */
export const twinAmong = (alike: readonly Memory[], { text, layer }: NewMemory): Memory | undefined =>
  alike.find((other) => other.layer === layer && isOneStatement(text.content, other.content));

/**
 * Compares a memory with similar ones of the same subject and space, and links contradictions. It never refuses: the
 * readers decide which of two holds.
 * @param withSimilar also report memories that say nearly the same
 */
export async function compareWithStored(
  tx: Writes,
  memory: Memory,
  alike: readonly Memory[],
  withSimilar: boolean,
): Promise<Compared> {
  const contradicts: { id: number; reason: string }[] = [];
  const similar: number[] = [];
  for (const other of alike) {
    const how = withSimilar ? samenessOf(memory, other, "near") : undefined;
    const reason =
      how === "one" || how === "restated" ? undefined : contradiction(memory.content, other.content)?.reason;
    if (reason && (await tx.conflicts.note(memory, other, reason))) contradicts.push({ id: other.id, reason });
    if (!reason && how) similar.push(other.id);
  }
  return { ...some("contradicts", contradicts), ...some("similar", similar) };
}

/**
 * Adds the contradicting sentences to an answer, for a caller that may read. Done after the transaction, because a
 * stored answer holds no content.
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

/** Warns that stored memories contradict the save. */
export function conflictWarnings({ contradicts = [] }: Compared): Warning[] {
  if (contradicts.length === 0) return [];
  const ids = contradicts.map(({ id }) => id).join(", ");
  const message = `possible contradiction with ${ids}: read both, then settle it with \`settle\` of \`chest_update_memory\``;
  return [{ reason: "possible_contradiction", message }];
}

/** Writes the contradicting sentences as text. */
export const contradictionLines = (found: z.output<typeof comparisons.contradicts>): string[] =>
  noticedBlock(
    (found ?? []).map(({ id, excerpt }) =>
      framed(`[memory:${id}] says otherwise${excerpt === undefined ? "" : `: ${excerpt}`}`),
    ),
  );
