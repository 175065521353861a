import type { CaptureReport, KeepOld, MemoryFilesReport } from "@chest/core/transcript";
import { readMachineId } from "@chest/runtime/machine";
import type { UndeliveredSession } from "@chest/runtime/undelivered-sessions";
import type { TranscriptFile } from "./find.ts";
import type { Note } from "./memory-folders.ts";

/** A transcript with the session and project it is imported as. */
export interface TranscriptToImport extends TranscriptFile {
  readonly session: string;
  /** Key of the project its agent worked in. */
  readonly project: string | undefined;
}

/** Result of one transcript; the numbers count new lines only. */
export interface ImportedCounts {
  readonly lines: number;
  readonly skippedLines: number;
  readonly memories: Readonly<Partial<CaptureReport["memories"] & MemoryFilesReport["memories"]>>;
  readonly edits: number;
  /** Number of memories found, by rule. */
  readonly found: Readonly<Record<string, number>>;
  /** Number of rejected findings, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** Options of an import. */
export interface TakeOptions {
  readonly isDry: boolean;
  readonly keepOld: KeepOld | undefined;
}

/** Part of the notes in a folder. */
export interface NoteBatch {
  readonly folder: string;
  readonly project: string | undefined;
  readonly files: readonly Note[];
  /** Ids of all notes, sent with the last batch. */
  readonly present: readonly string[] | undefined;
}

/** Machine id; where the data folder cannot be written, notes are identified by their folder alone. */
export const machineOf = (dataDir: string): string => readMachineId(dataDir) ?? "unknown";

export type Occasion = UndeliveredSession["keep"][number];

/** Destination of transcripts: this machine's store or a backend. */
export interface TranscriptSink {
  readonly into: string;
  take(transcript: TranscriptToImport, onBytes: (bytes: number) => void): Promise<ImportedCounts>;
  /** Imports part of a folder's notes, with the ids of all of them in the last batch. @returns counts by outcome. */
  takeNotes(notes: NoteBatch): Promise<Readonly<Record<string, number>>>;
  /** Keeps the state of a session when an event could not be delivered. */
  keep(session: string, project: string | undefined, occasion: Occasion): Promise<void>;
}
