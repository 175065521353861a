/** Callers that go on in one lap of the event loop. */
const A_LAP = 2;

const waiting: (() => void)[] = [];

/**
 * Waits for its turn: first come first, two to a lap of the event loop. Ranking holds the loop for milliseconds:
 * without turns, thirty questions that come back from their threads at once would hold up every other request until the
 * last is ranked.
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
