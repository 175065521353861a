interface Stream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Shows the progress of work, which changes often. */
export interface ProgressLine {
  /** @param line builds the text, called only when it is shown. */
  tell(line: () => string): void;
  /** Removes the drawn line; the command prints the result elsewhere. */
  end(): void;
}

const REDRAW_MS = 100;
const EVERY_MS = 3_000;

/**
 * Redraws one line on a terminal, no wider than the terminal; elsewhere prints a line now and then.
 * @param isPatient delays the first line, because short work needs none.
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
