import { bar, megabytes } from "../progress.ts";

interface Stream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface Reached {
  readonly bytes: number;
  readonly of: number;
  readonly file: number;
  readonly files: number;
}

/** Tells a person how far an import of transcripts is. */
export interface HistoryProgress {
  tell(reached: Reached): void;
  end(): void;
}

const REDRAW_MS = 100;
const EVERY_MS = 5_000;

/** A bar that is drawn anew on a terminal; a line now and then elsewhere. */
export function openHistoryProgress(stream: Stream | undefined): HistoryProgress {
  let toldAt = performance.now();
  let isDrawn = false;
  return {
    tell({ bytes, of, file, files }) {
      const now = performance.now();
      if (!stream || now - toldAt < (stream.isTTY ? REDRAW_MS : EVERY_MS)) return;
      toldAt = now;
      const line = `${bar(of === 0 ? 1 : bytes / of)} ${megabytes(bytes)} of ${megabytes(of)}, transcript ${file} of ${files}`;
      isDrawn = stream.isTTY === true;
      stream.write(isDrawn ? `\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}` : `${line}\n`);
    },
    end() {
      if (isDrawn) stream?.write("\r\u001b[K");
      isDrawn = false;
    },
  };
}
