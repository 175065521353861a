import { pick } from "../support/random.ts";
import type { MatchFloor } from "./floors/match.ts";

const [FEWEST_WORDS, MOST_WORDS] = [2, 8];

interface StoredQuery {
  /** Id of the memory that contains the words. */
  readonly id: number;
  readonly query: string;
  readonly space: string;
  readonly project: string;
}

/** Builds a query from words of a stored memory and its project, because an agent asks for what was written. */
export function askForOne(rows: number, store: MatchFloor, random: () => number): StoredQuery {
  const id = 1 + Math.floor(random() * rows);
  const { content, space, project } = store.memory(id);
  const length = FEWEST_WORDS + Math.floor(random() * (MOST_WORDS - FEWEST_WORDS + 1));
  return { id, query: pick(content.split(" "), length, random).join(" "), space, project };
}
