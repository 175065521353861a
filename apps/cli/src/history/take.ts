import type { CaptureReport } from "@chest/core";
import type { TranscriptFile } from "./find.ts";

/** A transcript, and what it is taken as. */
export interface Taking extends TranscriptFile {
  readonly session: string;
  /** Key of the project its agent worked in. */
  readonly project: string | undefined;
}

/** What became of one transcript. Numbers are of the lines that were new. */
export interface Taken {
  readonly lines: number;
  readonly skippedLines: number;
  readonly memories: Readonly<Partial<CaptureReport["memories"]>>;
  readonly edits: number;
  /** Finds, by the rule that found them. */
  readonly found: Readonly<Record<string, number>>;
  /** What was no find, by the reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** Where transcripts go: the store of this machine, or a backend. */
export interface Taker {
  readonly into: string;
  take(transcript: Taking, onBytes: (bytes: number) => void): Promise<Taken>;
}
