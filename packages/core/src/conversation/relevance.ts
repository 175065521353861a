import type { Keywords } from "./keywords.ts";

/** Facts about a captured turn that selection uses, without its text. */
export interface TurnFacts {
  readonly id: number;
  readonly conversationId: string;
  readonly at: Date;
  readonly keywords: Keywords;
  /** 0–100: rises when the turn is recalled. */
  readonly score: number;
}

const MOST_PENALTY = 15;
const PENALTY_RATE = 2e-9;
export const MAX_SCORE = 100;

/** Age lowers a turn's relevance by at most 15: by half of that within four days. */
const agePenalty = (ageMs: number): number => MOST_PENALTY * (1 - Math.exp(-Math.max(0, ageMs) * PENALTY_RATE));

/** Value of a turn when there is no question. */
const standingOf = ({ at, score }: Pick<TurnFacts, "at" | "score">, now: Date): number =>
  score - agePenalty(now.getTime() - at.getTime());

const LEAST_STANDING = -5;
const DAY_MS = 86_400_000;

/** Turns to archive: too old or of too low value. The best ones always stay. */
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

/** Relevance of a turn to a question: summed weights of the shared terms, plus the turn's score, minus its age. */
export function relevanceOf(request: ReadonlyMap<string, number>, turn: TurnFacts, now: Date): number {
  let shared = 0;
  for (const [term, weight] of turn.keywords) {
    const wanted = request.get(term);
    if (wanted !== undefined) shared += wanted + weight;
  }
  return shared + standingOf(turn, now);
}
