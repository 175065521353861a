/** Number of callers that continue in one turn of the event loop. */
const A_LAP = 2;

/** Longest stretch of work between two turns. */
const STRETCH_MS = 10;

const waiting: (() => void)[] = [];

/**
 * Waits for a turn: first come, first served, two per turn of the event loop. Ranking blocks the loop for milliseconds:
 * without this, thirty recalls whose searches finish together would delay every other request.
 */
export function turn(): Promise<void> {
  return new Promise((go) => {
    waiting.push(go);
    if (waiting.length === 1) setImmediate(lap);
  });
}

function lap(): void {
  for (const go of waiting.splice(0, A_LAP)) go();
  if (waiting.length > 0) setImmediate(lap);
}

/** Stretches of one long piece of work, with turns of other callers between them. */
export class Stretches {
  readonly #now: () => number;
  #begunAt: number;

  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#begunAt = now();
  }

  /** Whether the present stretch has lasted long enough. */
  get isOver(): boolean {
    return this.#now() - this.#begunAt >= STRETCH_MS;
  }

  /** Waits for a turn, and begins the next stretch. */
  async next(): Promise<void> {
    await turn();
    this.#begunAt = this.#now();
  }
}
