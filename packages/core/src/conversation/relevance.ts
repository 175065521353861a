import type { Keywords } from "./keywords.ts";

/** A captured piece of a conversation, as far as choosing one asks, without its text. */
export interface TurnFacts {
  readonly id: number;
  readonly conversationId: string;
  readonly at: Date;
  readonly keywords: Keywords;
  /** Earned by being recalled, 0 to 100. */
  readonly score: number;
}

const MOST_PENALTY = 15;
const PENALTY_RATE = 2e-9;
export const MAX_SCORE = 100;

/** Time takes up to 15 from a turn's relevance: half of it within four days. */
const agePenalty = (ageMs: number): number => MOST_PENALTY * (1 - Math.exp(-Math.max(0, ageMs) * PENALTY_RATE));

/** Worth of a turn when nothing is asked. */
export const standingOf = ({ at, score }: Pick<TurnFacts, "at" | "score">, now: Date): number =>
  score - agePenalty(now.getTime() - at.getTime());

const LEAST_STANDING = -5;
const DAY_MS = 86_400_000;

/** Turns that have served their time: too old, or fallen too low; the best so many always stay. */
export function outlivedTurns<T extends Pick<TurnFacts, "id" | "at" | "score">>(
  turns: readonly T[],
  { maxAgeDays, keep }: { readonly maxAgeDays: number; readonly keep: number },
  now: Date,
): T[] {
  return turns
    .map((turn) => ({ turn, standing: standingOf(turn, now) }))
    .sort((a, b) => b.standing - a.standing || b.turn.id - a.turn.id)
    .slice(keep)
    .filter(
      ({ turn, standing }) => standing < LEAST_STANDING || now.getTime() - turn.at.getTime() > maxAgeDays * DAY_MS,
    )
    .map(({ turn }) => turn);
}

/** Relevance of a turn to a question: the weights of shared terms on both sides plus its score, less its age. */
export function relevanceOf(asked: ReadonlyMap<string, number>, turn: TurnFacts, now: Date): number {
  let shared = 0;
  for (const [term, weight] of turn.keywords) {
    const wanted = asked.get(term);
    if (wanted !== undefined) shared += wanted + weight;
  }
  return shared + standingOf(turn, now);
}
