import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The backend that runs on a data folder, and the settings by which its operator's commands find it and its files. */
export interface RunningBackend {
  readonly url: string;
  readonly pid: number;
  /** Undefined where its store is a database. */
  readonly db_path: string | undefined;
  readonly backup_dir: string | undefined;
}

const noteFile = (dataDir: string): string => join(dataDir, "backend.json");

/** Records a running backend in a file. If the disk is full, commands use the default address. */
export function noteRunning(dataDir: string, running: RunningBackend): void {
  const unfinished = `${noteFile(dataDir)}.${running.pid}`;
  try {
    writeFileSync(unfinished, JSON.stringify(running), { mode: 0o600 });
    renameSync(unfinished, noteFile(dataDir));
  } catch {
    rmSync(unfinished, { force: true });
  }
}

/** Takes the note away, unless another backend has noted itself meanwhile. */
export function forgetRunning(dataDir: string, pid: number): void {
  if (readNote(dataDir)?.pid === pid) rmSync(noteFile(dataDir), { force: true });
}

/** Undefined where none runs; the note of one that was killed counts for nothing. */
export function readRunning(dataDir: string): RunningBackend | undefined {
  const noted = readNote(dataDir);
  return noted && isThere(noted.pid) ? noted : undefined;
}

function readNote(dataDir: string): RunningBackend | undefined {
  try {
    const { url, pid, db_path, backup_dir } = JSON.parse(readFileSync(noteFile(dataDir), "utf8"));
    if (typeof url !== "string" || !URL.canParse(url) || !Number.isSafeInteger(pid)) return undefined;
    return { url, pid, db_path: textOf(db_path), backup_dir: textOf(backup_dir) };
  } catch {
    return undefined; // None runs here, or it could not note itself.
  }
}

const textOf = (input: unknown): string | undefined => (typeof input === "string" && input !== "" ? input : undefined);

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // It is another account's.
  }
}
