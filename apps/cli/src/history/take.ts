import type { CaptureReport, KeepOld, MemoryFilesReport } from "@chest/core";
import { readMachineId } from "@chest/runtime/machine";
import type { UndeliveredSession } from "@chest/runtime/undelivered-sessions";
import type { TranscriptFile } from "./find.ts";
import type { Note } from "./memory-folders.ts";

/** A transcript, and what it is taken as. */
export interface Taking extends TranscriptFile {
  readonly session: string;
  /** Key of the project its agent worked in. */
  readonly project: string | undefined;
}

/** Outcome of one transcript. Numbers are of the lines that were new. */
export interface Taken {
  readonly lines: number;
  readonly skippedLines: number;
  readonly memories: Readonly<Partial<CaptureReport["memories"] & MemoryFilesReport["memories"]>>;
  readonly edits: number;
  /** Finds, by the rule that found them. */
  readonly found: Readonly<Record<string, number>>;
  /** Counts of rejected findings, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** How transcripts are taken. */
export interface TakeOptions {
  readonly isDry: boolean;
  readonly keepOld: KeepOld | undefined;
}

/** Some of the notes in a folder. */
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

/** Destination of transcripts: the store of this machine, or a backend. */
export interface TranscriptSink {
  readonly into: string;
  take(transcript: Taking, onBytes: (bytes: number) => void): Promise<Taken>;
  /** Notes of one folder, and which there are in all. @returns what became of them, by number. */
  takeNotes(notes: NoteBatch): Promise<Readonly<Record<string, number>>>;
  /** Keeps the state of a session when an event could not be delivered. */
  keep(session: string, project: string | undefined, occasion: Occasion): Promise<void>;
}
