import type { Keywords } from "./keywords.ts";
import { relevanceOf, type TurnFacts } from "./relevance.ts";

export interface TurnQuery {
  /** The current conversation; undefined: any conversation. */
  readonly conversationId: string | undefined;
  readonly keywords: Keywords;
  /** Most turns that are chosen at random. */
  readonly flashback: number;
  readonly seed: number;
  readonly now: Date;
  /** A younger turn is still in the agent's context. */
  readonly minAgeMs: number;
}

export interface RankedTurn {
  readonly turn: TurnFacts;
  readonly relevance: number;
}

export interface Selection {
  readonly top: readonly RankedTurn[];
  readonly next: readonly RankedTurn[];
  readonly flashback: readonly RankedTurn[];
  /** Whether a matching turn was left out because it is still in the agent's context. */
  readonly leavesOut: boolean;
}

const TOP = 2;
const NEXT = 1;
const MIN_RELEVANCE = 5;
/** Two turns this close in time belong to one moment. */
const APART_MS = 10 * 60_000;
const YEAR_MS = 365 * 86_400_000;

/** Points that a turn gains when it is chosen. */
export const POINTS = { top: 5, next: 2 } as const;

/**
 * Chooses the two best turns, the next best, and a few random older ones. All are apart in time, and none is still in
 * the agent's context.
 */
export function select(turns: readonly TurnFacts[], query: TurnQuery): Selection {
  const { keywords, now, conversationId, flashback, seed, minAgeMs } = query;
  const asked = new Map(keywords);
  const mayGoOn = (turn: TurnFacts) => conversationId === undefined || turn.conversationId === conversationId;
  const isOld = (turn: TurnFacts) => !mayGoOn(turn) || now.getTime() - turn.at.getTime() >= minAgeMs;
  const old = turns.filter(isOld);
  const ranked = old
    .map((turn) => ({ turn, relevance: relevanceOf(asked, turn, now) }))
    .sort((a, b) => b.relevance - a.relevance || b.turn.at.getTime() - a.turn.at.getTime() || b.turn.id - a.turn.id);
  const chosen: RankedTurn[] = [];
  const isApart = ({ turn }: RankedTurn) =>
    chosen.every(
      (each) =>
        each.turn.conversationId !== turn.conversationId ||
        Math.abs(each.turn.at.getTime() - turn.at.getTime()) >= APART_MS,
    );
  for (const each of ranked) {
    if (chosen.length === TOP + NEXT || each.relevance < MIN_RELEVANCE) break;
    if (isApart(each)) chosen.push(each);
  }
  const fitting = [...chosen];
  const rest = ranked.filter((each) => !fitting.includes(each)).sort((a, b) => a.turn.id - b.turn.id);
  const random = seeded(seed);
  while (chosen.length < fitting.length + flashback) {
    const apart = rest.filter((each) => !chosen.includes(each) && isApart(each));
    const drawn = drawByWeight(apart, ({ turn }) => flashbackWeight(turn, now), random);
    if (!drawn) break;
    chosen.push(drawn);
  }
  return {
    top: fitting.slice(0, TOP),
    next: fitting.slice(TOP),
    flashback: chosen.slice(fitting.length),
    leavesOut: turns.some((turn) => !isOld(turn) && relevanceOf(asked, turn, now) >= MIN_RELEVANCE),
  };
}

/** A turn of the last year, or one that was recalled before, is chosen more often. */
const flashbackWeight = ({ at, score }: TurnFacts, now: Date): number =>
  1 + 1.7 * Math.max(0, 1 - (now.getTime() - at.getTime()) / YEAR_MS) + (1.1 * Math.min(score, 50)) / 50;

function drawByWeight<T>(items: readonly T[], weightOf: (item: T) => number, random: () => number): T | undefined {
  const weights = items.map(weightOf);
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [at, item] of items.entries()) {
    left -= weights[at] ?? 0;
    if (left < 0) return item;
  }
  return items.at(-1);
}

/** Repeatable random numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
