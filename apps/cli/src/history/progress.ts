import { bar, megabytes } from "../terminal/download-progress.ts";
import { openProgressLine } from "../terminal/progress-line.ts";

interface Reached {
  readonly bytes: number;
  readonly of: number;
  readonly file: number;
  readonly files: number;
}

/** Shows how far an import of transcripts is. */
export interface HistoryProgress {
  tell(reached: Reached): void;
  end(): void;
}

export function openHistoryProgress(stream: Parameters<typeof openProgressLine>[0]): HistoryProgress {
  const line = openProgressLine(stream, { isPatient: true });
  return {
    tell: ({ bytes, of, file, files }) =>
      line.tell(() => {
        const share = bar(of === 0 ? 1 : bytes / of);
        return `${share} ${megabytes(bytes)} of ${megabytes(of)}, transcript ${file} of ${files}`;
      }),
    end: line.end,
  };
}
