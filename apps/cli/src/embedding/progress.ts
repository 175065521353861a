import { openProgressLine } from "../terminal/progress-line.ts";

/** Shows how far a queue is drained. */
export function openDrainProgress(stream: Parameters<typeof openProgressLine>[0]) {
  const line = openProgressLine(stream);
  return {
    tell: (done: number, remaining: number, perSecond: number): void =>
      line.tell(() => {
        const left = perSecond > 0 ? `, about ${Math.ceil(remaining / perSecond)} s left` : "";
        return `embedded ${done}, ${remaining} to go, ${Math.round(perSecond)}/s${left}`;
      }),
    end: line.end,
  };
}
