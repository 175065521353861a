import { TABLE_IDENTITY } from "../../embedding/known-models.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Closeness, Passage } from "../../ports/embedder.ts";
import type { Hit, WordHit } from "../../ports/search.ts";
import type { ToolPorts } from "../../tool.ts";
import type { Question } from "../candidates.ts";
import { borrowedBy } from "../context.ts";
import { type CosineScale, cosinesOf, ofTerms } from "./cosines.ts";
import { type Fused, fuseAll, type Reading } from "./fuse.ts";
import { readMeasured } from "./measure.ts";
import { FETCHED } from "./order.ts";

/** Results of the word search and of the vector search for one question. */
interface Lists {
  readonly words: readonly WordHit[] | undefined;
  readonly vector: readonly Hit[] | undefined;
  readonly cosines: CosineScale | undefined;
}

/** A fused list, with the memories that were read to build it. */
interface Read {
  readonly rows: readonly Fused[];
  readonly memories: readonly Memory[];
}

/**
 * Fuses the two lists, then reorders the best rows by the similarity of their terms to the question's terms, if the
 * model or the built-in table supports that. The other rows keep their order below. The rows that were read are
 * returned, so that nothing is read twice.
 */
export async function fuseByTerm(
  text: string,
  { words, vector, cosines }: Lists,
  question: Question,
  ports: ToolPorts,
): Promise<Read> {
  const { ranking, active } = question;
  const rows = fuseAll(words, vector, ranking, cosines);
  const { closeness, share, scale } = readerOf(text, active, cosines, ports.embedders);
  if (!vector || !closeness || ranking.fusion === "rrf") return { rows, memories: [] };
  const memories = await readMeasured(
    rows.slice(0, FETCHED).map(({ id }) => id),
    question,
    ports,
  );
  const passages = passagesOf(memories);
  const scores = closeness(text, passages);
  if (!scores) return { rows, memories };
  const near = new Map(memories.map(({ id }, at) => [id, scores[at] as Closeness]));
  const lenders = new Map(memories.map(({ id }, at) => [id, lendersOf(passages[at] as Passage)]));
  const reading: Reading = { near, share, scale, lenders };
  const best = fuseAll(
    words?.filter(({ id }) => near.has(id)),
    vector,
    ranking,
    cosines,
    reading,
  );
  const most = best.at(-1)?.relevance ?? 1;
  const rest = rows
    .filter(({ id }) => !near.has(id))
    .map((row) => ({ ...row, relevance: Math.min(row.relevance, most) }));
  return { rows: [...best, ...rest], memories };
}

/** Neighbours of a row and the share of their similarity that it takes: a long text takes little. */
const lendersOf = ({ text, lenders = [] }: Passage) =>
  lenders.map(({ id, share }) => ({ id, share: share * borrowedBy(text.length / LETTERS_A_WORD) }));
const LETTERS_A_WORD = 5;

/** Shares of the neighbours' similarity by distance in the session, the nearest first. */
const NEARNESS_LENT = new Map([
  [-1, 0.75],
  [-2, 0.45],
  [-3, 0.3],
  [1, 0.45],
]);

/**
 * Builds passages from memories, with the neighbours of the same session: a turn seldom repeats what the turn before it
 * named.
 */
function passagesOf(memories: readonly Memory[]): Passage[] {
  const inOrder = memories.filter(({ session }) => session !== undefined).sort((a, b) => a.id - b.id);
  const bySession = Map.groupBy(inOrder, ({ session }) => session);
  return memories.map((memory) => {
    const said = (memory.session === undefined ? undefined : bySession.get(memory.session)) ?? [];
    const at = said.indexOf(memory);
    const lenders = [...NEARNESS_LENT].flatMap(([by, share]) => {
      const beside = said[at + by];
      return beside === undefined ? [] : [{ id: beside.id, text: beside.content, share }];
    });
    return { text: memory.content, lenders };
  });
}

/** Model that compares by terms: the embedder itself if it can, or else the table at its share. */
function readerOf(
  text: string,
  active: Question["active"],
  cosines: CosineScale | undefined,
  embedders: ToolPorts["embedders"],
) {
  const { closeness } = embedders(active);
  if (closeness) return { closeness, share: 1, scale: cosines };
  const share = cosines?.readByTable;
  if (share === undefined) return { closeness: undefined, share: 0, scale: undefined };
  const table = embedders(TABLE_IDENTITY);
  const scale = ofTerms(cosinesOf(TABLE_IDENTITY), table.tellingTerms?.(text));
  return { closeness: table.closeness, share, scale };
}
