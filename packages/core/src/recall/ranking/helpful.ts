import type { Memory } from "../../memory/memory.ts";
import type { Candidate, Question } from "../candidates.ts";
import type { Query } from "../query.ts";
import { chain, iterate } from "../streams.ts";

const SENTENCE_END = /(?<=[.!?。！？])\s*(?=\S)|\n+/u;
const ENDS_ASKING =
  /[?？]["'”」）)]*\s*$|(?:か|かな|かしら)[。.]?\s*$|(?:吗|呢)[。.]?\s*$|(?:까|나요|는가|은가요|을까요)[.。]?\s*$/u;
/** The beginning of a question that lacks its question mark. */
const BEGINS_ASKING =
  /^(?:(?:and|but|so|ok|hey|hi|please)[,\s]+)*(?:why|how|what|where|when|who|which|can|could|should|would|is|are|do|does|did|has|have)\s+(?:i|you|we|it|they|he|she|the|this|that|there|these|those|my|our|your|do|does|did|is|are|was|were|can|could|should|would|to|now|about)\b[^.!:]*$/i;
const TRAILS_OFF = /\b(?:what now|any ideas?|how come|what(?:['’]s| is) wrong|help)\s*$/i;

/** Number of rows to choose from. */
const AHEAD = 24;
/** Share of the best score below which a row is considered off the question. */
const NEAR_BEST = 0.45;
/** Lower limit for a best row that is itself a question, since it shares the words of every similar question. */
const NEAR_ASKING = NEAR_BEST / 2;

/** Candidates, split into helpful ones and the rest. */
export interface Helpful {
  /** Rows near the best one, in order: answers before rows that only ask. */
  readonly near: readonly Candidate[];
  /** All other rows, in order. */
  readonly rest: AsyncGenerator<Candidate>;
}

/**
 * Separates helpful rows from the rest. If the question is one exact identifier and any row contains it, only such rows
 * are helpful.
 */
export async function helpful(
  ordered: AsyncIterable<Candidate> | Iterable<Candidate>,
  { query }: Question,
): Promise<Helpful> {
  const stream = iterate(ordered);
  const first: Candidate[] = [];
  while (first.length < AHEAD) {
    const { value, done } = await stream.next();
    if (done) break;
    first.push(value);
  }
  const identifier = query && identifierIn(query);
  const holding = identifier === undefined ? [] : first.filter(({ memory }) => holds(memory, identifier));
  const eligible = holding.length > 0 ? holding : first;
  const asking = eligible.filter(({ memory }) => onlyAsks(memory.content));
  const answering = eligible.filter((candidate) => !asking.includes(candidate));
  const bestAnswer = bestOf(answering);
  const least = Math.max(NEAR_BEST * bestAnswer, NEAR_ASKING * bestOf(asking));
  const isNear = (candidate: Candidate) => nearnessOf(candidate) >= least;
  const nearAsking = answering.some(isNear) ? asking.filter(isNear) : asking.filter(nearTo(bestOf(asking)));
  const near = [...answering.filter(isNear), ...nearAsking];
  return {
    near,
    rest: chain(
      first.filter((candidate) => !near.includes(candidate)),
      stream,
    ),
  };
}

const bestOf = (candidates: readonly Candidate[]): number => Math.max(0, ...candidates.map(nearnessOf));

/** Score without the penalty for superseded rows, because a caller that asks for them wants to see them. */
const nearnessOf = ({ score }: Candidate): number => score.composite / score.supersessionPenalty;

const nearTo =
  (best: number) =>
  (candidate: Candidate): boolean =>
    nearnessOf(candidate) >= NEAR_BEST * best;

/**
 * Whether a text is a name from a program, a code or a path: it has digits, humps or symbols, which words of prose
 * lack.
 */
const isIdentifier = (text: string): boolean =>
  (/[A-Za-z]/.test(text) && /\d/.test(text)) ||
  /^\d{4,}$/.test(text) ||
  /[a-z][A-Z]/.test(text) ||
  (/[A-Za-z0-9]/.test(text) && /[^\s][_/:@#\\.][^\s]/.test(text));

/** The exact identifier in a question: the whole question, or a code among few words. */
function identifierIn({ text, units }: Query): string | undefined {
  const alone = text.replace(/^[`"'“”「『(]+|(?<![`"'“”」』)?!？。])[`"'“”」』)?!？。]+$/gu, "");
  if (/^[\x21-\x7e]{3,200}$/.test(alone) && isIdentifier(alone)) return folded(alone);
  const sought = units.find(({ isSought }) => isSought)?.alternatives[0]?.terms[0]?.text;
  return sought === undefined ? undefined : folded(sought);
}

const holds = ({ content, title, name, tags, entity }: Memory, identifier: string): boolean =>
  [content, title ?? "", name ?? "", entity.name, ...tags].some((text) => folded(text).includes(identifier));

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Whether every sentence of a text is a question. */
function onlyAsks(text: string): boolean {
  const sentences = text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
  return sentences.length > 0 && sentences.every(asks);
}

const asks = (sentence: string): boolean =>
  ENDS_ASKING.test(sentence) || BEGINS_ASKING.test(sentence) || TRAILS_OFF.test(sentence);
