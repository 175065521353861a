import type { FetchEvent } from "@chest/models";

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows the progress of a download. */
export interface Progress {
  tell(model: string, event: FetchEvent): void;
  /** Ends the display and leaves its last line. */
  end(): void;
}

const BAR_CELLS = 24;
const REDRAW_MS = 100;

/** Draws a bar again and again on a terminal; elsewhere, such as in a log, prints a line for each quarter of a file. */
export function openProgress(stream: Stream | undefined): Progress {
  if (!stream) return { tell: () => undefined, end: () => undefined };
  let isDrawn = false;
  let drawnAt = 0;
  let quarter = { file: "", reached: 0 };

  const line = (text: string) => {
    if (isDrawn) stream.write("\r\u001b[K");
    isDrawn = false;
    stream.write(`${text}\n`);
  };
  const draw = (text: string) => {
    const now = performance.now();
    if (now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    isDrawn = true;
    stream.write(`\r\u001b[K${text.slice(0, (stream.columns ?? 80) - 1)}`);
  };

  return {
    tell(model, event) {
      if (event.kind === "waiting") return line(`${model}: another download runs; waiting for it`);
      if (event.kind === "done") {
        const { file, status, bytes, ms } = event.result;
        if (status === "failed") return line(`${model}/${file}: failed`);
        return line(
          `${model}/${file}: ${status}, ${megabytes(bytes)}${status === "cached" ? "" : ` in ${seconds(ms)}`}`,
        );
      }
      const { file, received, total } = event;
      const share = total ? received / total : undefined;
      if (stream.isTTY)
        return draw(`${bar(share)} ${megabytes(received)}${total ? ` of ${megabytes(total)}` : ""}  ${file}`);
      const reached = Math.floor((share ?? 0) * 4);
      if (quarter.file !== file) quarter = { file, reached: 0 };
      if (reached <= quarter.reached || reached === 4) return undefined;
      quarter = { file, reached };
      return line(`${model}/${file}: ${reached * 25} %, ${megabytes(received)}`);
    },
    end() {
      if (isDrawn) stream.write("\n");
      isDrawn = false;
    },
  };
}

export function bar(share: number | undefined): string {
  const filled = Math.round((share ?? 0) * BAR_CELLS);
  return `[${"#".repeat(filled)}${"-".repeat(BAR_CELLS - filled)}] ${share === undefined ? "   ?" : `${Math.floor(share * 100)}`.padStart(3)} %`;
}

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
