import type { Memory } from "../../memory/memory.ts";
import { onlyAsks } from "../../text/asks.ts";
import type { Candidate, Question } from "../candidates.ts";
import type { Query } from "../query.ts";
import { chain, iterate } from "../streams.ts";

/** Rows that are read to choose from. */
const AHEAD = 24;
/** Share of the best composite below which a row says something else than what was asked for. */
const NEAR_BEST = 0.45;
/** The same beside a row that only asks, which holds the words of every question like it. */
const NEAR_ASKING = NEAR_BEST / 2;

/** Candidates with those that help before all others. */
export interface Helpful {
  /** Rows near the best one, in their order: those that answer before those that only ask. */
  readonly near: readonly Candidate[];
  /** All others, in their order. */
  readonly rest: AsyncGenerator<Candidate>;
}

/**
 * Parts what helps from what is merely found. Of a question for one exact identifier, where any row holds it, these rows
 * alone help.
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

/** Composite before what was replaced is put back: who asks for that wants to see it. */
const nearnessOf = ({ score }: Candidate): number => score.composite / score.supersessionPenalty;

const nearTo =
  (best: number) =>
  (candidate: Candidate): boolean =>
    nearnessOf(candidate) >= NEAR_BEST * best;

/** A name out of a program, a code or a path: no word of prose has digits, humps or signs in it. */
const isIdentifier = (text: string): boolean =>
  (/[A-Za-z]/.test(text) && /\d/.test(text)) ||
  /^\d{4,}$/.test(text) ||
  /[a-z][A-Z]/.test(text) ||
  (/[A-Za-z0-9]/.test(text) && /[^\s][_/:@#\\.][^\s]/.test(text));

/** The exact identifier that a question is: all of it, or the code among few words. */
function identifierIn({ text, units }: Query): string | undefined {
  const alone = text.replace(/^[`"'“”「『(]+|(?<![`"'“”」』)?!？。])[`"'“”」』)?!？。]+$/gu, "");
  if (/^[\x21-\x7e]{3,200}$/.test(alone) && isIdentifier(alone)) return folded(alone);
  const sought = units.find(({ isSought }) => isSought)?.alternatives[0]?.terms[0]?.text;
  return sought === undefined ? undefined : folded(sought);
}

const holds = ({ content, title, name, tags, entity }: Memory, identifier: string): boolean =>
  [content, title ?? "", name ?? "", entity.name, ...tags].some((text) => folded(text).includes(identifier));

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
