/** Number of callers that continue in one turn of the event loop. */
const A_LAP = 2;

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
