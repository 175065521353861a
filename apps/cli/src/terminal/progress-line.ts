interface Stream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Tells a person how far something is, which is soon out of date. */
export interface ProgressLine {
  /** @param line made only when it is time for one. */
  tell(line: () => string): void;
  /** Takes a drawn line away: what came of it is said elsewhere. */
  end(): void;
}

const REDRAW_MS = 100;
const EVERY_MS = 3_000;

/**
 * One line drawn anew on a terminal, no wider than that; a line now and then elsewhere.
 * @param isPatient not at once either: what is over soon needs none.
 */
export function openProgressLine(stream: Stream | undefined, { isPatient = false } = {}): ProgressLine {
  let toldAt = isPatient ? performance.now() : Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    tell(line) {
      const now = performance.now();
      if (!stream || now - toldAt < (stream.isTTY ? REDRAW_MS : EVERY_MS)) return;
      toldAt = now;
      isDrawn = stream.isTTY === true;
      stream.write(isDrawn ? `\r\u001b[K${line().slice(0, (stream.columns ?? 80) - 1)}` : `${line()}\n`);
    },
    end() {
      if (isDrawn) stream?.write("\r\u001b[K");
      isDrawn = false;
    },
  };
}
