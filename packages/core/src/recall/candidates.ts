import type { SteadyOrder } from "../answers/cursor.ts";
import type { Warning } from "../answers/wire.ts";
import { isSameIdentity } from "../embedding/known-models.ts";
import type { Band } from "../lifecycle/heat.ts";
import type { Memory } from "../memory/memory.ts";
import type { Embedder, EmbeddingIdentity } from "../ports/embedder.ts";
import { type Filter, type Hit, SearchTimeout, unmetBy, type WordHit } from "../ports/search.ts";
import type { Store } from "../ports/store.ts";
import type { ToolPorts } from "../tool.ts";
import type { Query } from "./query.ts";
import { fuseByTerm } from "./ranking/by-term.ts";
import { answerConfidence, isRelated, nearnessOf } from "./ranking/confidence.ts";
import { type CosineScale, cosinesOf, ofTerms } from "./ranking/cosines.ts";
import { eachOnce, standingFor } from "./ranking/dedupe.ts";
import { type Fused, isSure } from "./ranking/fuse.ts";
import { measure } from "./ranking/measure.ts";
import { inOrder, isInBand, ORDERS, type Sort } from "./ranking/order.ts";
import type { Ranking } from "./ranking/ranking.ts";
import type { Score } from "./ranking/score.ts";
import { until } from "./until.ts";
import { turn } from "./yield-turn.ts";

/** Question of a recall, parsed. */
export interface Question {
  readonly query: Query | undefined;
  readonly filter: Filter;
  readonly band: Band | undefined;
  readonly sort: Sort;
  /** Identity whose vectors are compared. */
  readonly active: EmbeddingIdentity;
  /** Vector that came with the question; otherwise the embedder makes it. */
  readonly supplied?: SuppliedVector | undefined;
  readonly maxTokens: number;
  readonly limit: number;
  readonly offset: number;
  readonly ignoreDecay: boolean;
  readonly ranking: Ranking;
  readonly now: Date;
}

export interface SuppliedVector {
  readonly vector: Float32Array;
  readonly identity: EmbeddingIdentity;
}

/** A memory that may be in the answer, with all values that decide its rank. */
export interface Candidate {
  readonly memory: Memory;
  readonly fused: Fused | undefined;
  readonly score: Score;
  /** 0–100, at present. */
  readonly heat: number;
  readonly band: Band;
  /** Memories that say the same: not shown, but named. */
  readonly same?: readonly number[];
  /** Older statements that it replaces: ranked after it. */
  readonly earlier?: readonly number[];
  /** Live memories that contradict it and that the caller may open. */
  readonly opponents: readonly number[];
  /**
   * Whether it contains the question literally. Computed only for shown memories and ties, because it reads the whole
   * content.
   */
  isLiteral(): boolean;
}

export interface CandidateList {
  /** In order, without repeated statements. */
  readonly candidates: AsyncIterable<Candidate> | readonly Candidate[];
  /** Number of matches, including repeated statements. */
  readonly total: number;
  /** Set for a list by filters alone, which has one order and is cut into pages. */
  readonly list?: { readonly order: SteadyOrder; readonly count: number; readonly isCut: boolean };
  readonly isLowerBound: boolean;
  /** Probability that an answer is among the best rows; undefined if the question has no words. */
  readonly confidence?: number;
  /** No memory contains all words of the question: these contain some, or are near in meaning. */
  readonly isRelaxed?: boolean;
  readonly search: string;
  readonly degraded: readonly { readonly leg: string; readonly reason: string }[];
  readonly notReturned: readonly { readonly id: number; readonly reason: string }[];
  /** The nearest rows to a question without an answer, best first. */
  readonly nearest?: readonly Fused[];
  readonly warnings: readonly Warning[];
}

// Two fixed depths: the lists are normalised by their last row, so another depth changes the order, and the pages of
// one question must not shift against each other.
const SHALLOW = 200;
const DEEP = 1000;
const ITEM_TOKENS = 100;

/** Number of rows from each search: three times what can be shown, in two steps. */
function depth({ limit, offset, maxTokens, band, sort }: Question): number {
  const shown = Math.min(limit, Math.ceil(maxTokens / ITEM_TOKENS));
  const isByRelevance = band === undefined && sort === "relevance";
  return isByRelevance && 3 * (shown + offset) <= SHALLOW ? SHALLOW : DEEP;
}

export async function candidatesByQuery(question: Question, ports: ToolPorts): Promise<CandidateList> {
  const { query, filter } = question;
  const limit = depth(question);
  if (!query) return candidatesByEntity(question, ports, limit);
  const [words, vector] = await Promise.all([
    wordsLeg(query, question, ports, limit),
    vectorLeg(query, question, ports, limit),
  ]);
  await turn();
  const lists = { words: words.hits, vector: vector.hits, cosines: vector.cosines };
  const { rows: near, memories } = await fuseByTerm(query.text, lists, question, ports);
  const fused =
    !isSoughtInVain(query, words.hits, question) && near.some((row) => isSure(row, question.ranking))
      ? near.filter(isRelated)
      : [];
  const ordered = inOrder(fused, question, ports, memories);
  // The number of memories in a heat band is known only after all are scored.
  const inBand = question.band && (await all(ordered));
  const total = inBand ? standingFor(inBand) : fused.length;
  return {
    candidates: inBand ?? ordered,
    total,
    confidence: answerConfidence(fused, nearnessOfList(vector, query)),
    isLowerBound: [words, vector].some(({ hits }) => (hits?.length ?? 0) >= limit),
    isRelaxed: total > 0 && query.units.length > 0 && words.hits?.some(({ isWhole }) => isWhole) === false,
    search: [words.hits && "fts5", vector.hits && "vector"].filter(Boolean).join("+"),
    degraded: [...words.degraded, ...vector.degraded],
    notReturned: [],
    ...(fused.length === 0 ? { nearest: near.slice(0, NEAREST) } : {}),
    warnings: [
      ...(query.wasCut ? [QUERY_CUT] : []),
      ...(total === 0 && filter.entityName !== undefined ? [NONE_OF_ENTITY] : []),
    ],
  };
}

const NEAREST = 5;

/** How near the list of vectors is to the question; undefined without one. */
function nearnessOfList({ hits: [best] = [], cosines }: Leg<Hit>, { units }: Query): number | undefined {
  return best && cosines ? nearnessOf(best.score, cosines, units.length) : undefined;
}

/** Whether the question asks for a code that no memory contains: similar text does not answer it. */
const isSoughtInVain = (
  { units }: Query,
  words: readonly WordHit[] | undefined,
  { ranking: { minCoverage } }: Question,
): boolean =>
  words !== undefined &&
  units.some(({ isSought }) => isSought) &&
  !words.some(({ coverage }) => coverage >= minCoverage);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

const QUERY_CUT: Warning = {
  reason: "query_cut",
  message: "only 2000 characters of the query count: of several lines the first and the last",
};
const NONE_OF_ENTITY: Warning = {
  reason: "no_match_in_entity",
  message: "no memory of that entity matches the query; leave `query` out to list them",
};

async function candidatesByEntity(question: Question, ports: ToolPorts, limit: number): Promise<CandidateList> {
  const memories = await ports.store.memories.newest(question.filter, limit);
  await turn();
  const ordered = (await measure(memories, new Map(), question, ports))
    .filter((candidate) => isInBand(candidate, question))
    .sort(ORDERS[question.sort]);
  return {
    candidates: await eachOnce(ordered),
    total: ordered.length,
    isLowerBound: memories.length >= limit,
    search: "entity",
    degraded: [],
    notReturned: [],
    warnings: [],
  };
}

/** Memories with these ids, in the given order; each id that is not available is returned with its reason. */
export async function candidatesById(
  ids: readonly number[],
  question: Question,
  ports: ToolPorts,
): Promise<CandidateList> {
  const asked = [...new Set(ids)];
  const memories = await ports.store.memories.byIds(asked);
  const within = await inNamedProject(asked, question, ports);
  const scored = await measure(memories, new Map(), question, ports);
  const byId = new Map(scored.map((candidate) => [candidate.memory.id, candidate]));
  const candidates: Candidate[] = [];
  const notReturned: { id: number; reason: string }[] = [];
  for (const id of asked) {
    const candidate = byId.get(id);
    const isElsewhere = candidate !== undefined && within?.has(id) === false;
    const reason = candidate ? reasonAgainst(candidate, question) : "not_found";
    if (reason !== undefined || isElsewhere) notReturned.push({ id, reason: reason ?? "project" });
    else if (candidate) candidates.push(candidate);
  }
  return {
    candidates,
    total: candidates.length,
    isLowerBound: false,
    search: "ids",
    degraded: [],
    notReturned,
    warnings: [],
  };
}

/** The ids in an explicitly named project; undefined if none is named, because the caller's own place hides nothing. */
async function inNamedProject(ids: readonly number[], { filter: { reach } }: Question, { store }: ToolPorts) {
  if (typeof reach === "string") return undefined;
  return new Set((await store.memories.byIds(ids, reach)).map(({ id }) => id));
}

const reasonAgainst = (candidate: Candidate, question: Question): string | undefined =>
  unmetBy(candidate.memory, question.filter, question.now) ?? (isInBand(candidate, question) ? undefined : "band");

interface Leg<H extends Hit> {
  /** Undefined: this search did not run. */
  readonly hits: readonly H[] | undefined;
  /** Calibration of the cosines. */
  readonly cosines?: CosineScale;
  readonly degraded: readonly { readonly leg: "words" | "vector"; readonly reason: string }[];
}

const without = (leg: "words" | "vector", reason: string): Leg<never> => ({
  hits: undefined,
  degraded: [{ leg, reason }],
});

/** Runs a search with a deadline; if it is missed, the answer uses the other search alone. */
async function withDeadline<H extends Hit>(leg: "words" | "vector", hits: () => Promise<Leg<H>>): Promise<Leg<H>> {
  try {
    return await hits();
  } catch (error) {
    if (error instanceof SearchTimeout) return without(leg, "timeout");
    throw error;
  }
}

const wordsLeg = (query: Query, { filter }: Question, { store }: ToolPorts, limit: number): Promise<Leg<WordHit>> =>
  withDeadline("words", async () => {
    if (query.units.length === 0) return { hits: await holding(query.text, filter, store, limit), degraded: [] };
    const hits = await store.search.matchWords(query, filter, limit);
    return hits ? { hits, degraded: [] } : without("words", "no_index");
  });

/** A symbol that no index contains, such as an emoji, with or without a variation selector. */
const SIGN = /[\p{So}\p{Extended_Pictographic}]/u;
const SELECTORS = /\p{Variation_Selector}/gu;

/** The newest rows that contain a question of symbols only. */
async function holding(text: string, filter: Filter, { memories }: Store, limit: number): Promise<WordHit[]> {
  if (!SIGN.test(text)) return [];
  const where = { ...filter, holds: text.replace(SELECTORS, "") };
  const found = await memories.browse({ order: "newest", where, limit, offset: 0 });
  return found.memories.map(({ id }, at) => ({ id, rank: at + 1, score: 1, ofBest: 1, coverage: 1, isWhole: true }));
}

/** Searches by vector, or says why that was not possible. */
export const vectorLeg = (
  query: Query,
  { filter, supplied, active }: Pick<Question, "filter" | "supplied" | "active">,
  ports: ToolPorts,
  limit: number,
): Promise<Leg<Hit>> =>
  withDeadline("vector", async () => {
    const cosines = cosinesOf(active);
    // Not reported as degraded: the model does not know this script.
    if (cosines.reads?.(query.text) === false) return { hits: undefined, degraded: [] };
    const asked = supplied ?? (await embedded(query.text, active, ports));
    if (typeof asked === "string") return without("vector", asked);
    if (!isSameIdentity(asked.identity, active)) return without("vector", "other_identity");
    const hits = await ports.store.search.matchVector(asked.vector, asked.identity, filter, limit);
    if (!hits) return without("vector", "no_index");
    const terms = ports.embedders(active).tellingTerms?.(query.text);
    return { hits, cosines: ofTerms(cosines, terms), degraded: [] };
  });

/** Embeds the query, or says why not. A model that hangs gets the deadline's signal, but is not waited for. */
async function embedded(
  text: string,
  active: EmbeddingIdentity,
  { embedders, limits, signal }: ToolPorts,
): Promise<SuppliedVector | string> {
  const embedder = embedders(active);
  const { identity } = embedder;
  if (!identity) return "no_embedder";
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.queryEmbedMs)]);
  try {
    const vector = await until(deadline, () => embedder.embedQuery(text, deadline));
    if (vector) return { vector, identity };
    return deadline.aborted ? "timeout" : await whyNone(embedder);
  } catch {
    return deadline.aborted ? "timeout" : "failed"; // Named in the answer: words alone still find.
  }
}

/** A missing model counts as no embedder; a present model without a result has failed. */
async function whyNone(embedder: Embedder): Promise<"no_embedder" | "failed"> {
  const state = await embedder.state();
  return state.isUsable || state.reason === "failed" ? "failed" : "no_embedder";
}
