interface Stream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const EVERY_MS = 2_000;
const REDRAW_MS = 200;

/** Tells a person how far it is: one line drawn anew on a terminal, a line now and then elsewhere. */
export function openProgressLine(stream: Stream | undefined) {
  let toldAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    tell(done: number, remaining: number, perSecond: number): void {
      const now = performance.now();
      if (!stream || now - toldAt < (stream.isTTY ? REDRAW_MS : EVERY_MS)) return;
      toldAt = now;
      const left = perSecond > 0 ? `, about ${Math.ceil(remaining / perSecond)} s left` : "";
      const line = `embedded ${done}, ${remaining} to go, ${Math.round(perSecond)}/s${left}`;
      isDrawn = stream.isTTY === true;
      stream.write(isDrawn ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end(): void {
      if (isDrawn) stream?.write("\n");
      isDrawn = false;
    },
  };
}
