import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { faultInRows, faultsOf } from "../database/integrity-faults.ts";
import { Damaged } from "../database/sqlite-errors.ts";

// A look through a file takes ten milliseconds for each megabyte: what is small, or was left by a crash, is looked
// through before it is opened, anything larger while it is open already.
const ALWAYS_UP_TO_BYTES = 8 * 1024 * 1024;
const AFTER_CRASH_UP_TO_BYTES = 256 * 1024 * 1024;

/** Whether a file is looked through before it is opened. */
export function isCheckedFirst(path: string, isAfterCrash = false): boolean {
  return statSync(path).size <= (isAfterCrash ? AFTER_CRASH_UP_TO_BYTES : ALWAYS_UP_TO_BYTES);
}

/** Trusted part of a file: all of it, or all but the full-text index, which is built from the rest. */
export type FileIntegrity = "whole" | "without index";

/** Throws `Damaged` for a file whose rows are not whole, over a connection that can change nothing. */
export function checkIntegrity(path: string): FileIntegrity {
  if (statSync(path).size === 0) return "whole";
  const db = new Database(path, { readonly: true });
  try {
    // All that follows sees the file as it is now: a migration elsewhere would change its tables in the middle of a look.
    db.exec("BEGIN");
    db.prepare("SELECT count(*) FROM sqlite_master").get();
    const faults = faultsOf(db, MAX_FAULTS);
    if (faults.length === 0) return "whole";
    const fault = faultInRows(db, faults);
    if (fault === undefined) return "without index";
    throw new Damaged(`damaged: ${fault.slice(0, 200)}`);
  } finally {
    db.close();
  }
}

const MAX_FAULTS = 100;

/** Verdict of the checking process: sound, damaged, or not able to look. */
export type Verdict =
  | { readonly soundness: FileIntegrity }
  | { readonly damage: string }
  | { readonly trouble: string };

/**
 * The same while other processes use the file. A process and no thread: nothing ends a thread in the middle of a
 * statement.
 */
export function checkInProcess(path: string): Promise<Verdict> {
  return verdictOf(fork(programFile(), [path], STDIO));
}

/** The same again and again until it is known how the file is. */
export function checkUntilKnown(path: string, onTrouble: (trouble: string) => void): BackgroundCheck {
  const stopping = new AbortController();
  let looking: ChildProcess | undefined;
  const look = async (): Promise<Known> => {
    for (;;) {
      stopping.signal.throwIfAborted();
      looking = fork(programFile(), [path], STDIO);
      const verdict = await verdictOf(looking);
      stopping.signal.throwIfAborted();
      if (!("trouble" in verdict)) return verdict;
      onTrouble(verdict.trouble);
      await sleep(AGAIN_MS, undefined, { signal: stopping.signal });
    }
  };
  const stop = () => {
    stopping.abort();
    looking?.kill("SIGKILL");
  };
  return { verdict: look(), stop };
}

type Known = Exclude<Verdict, { readonly trouble: string }>;

export interface BackgroundCheck {
  /** Rejects once it is stopped. */
  readonly verdict: Promise<Known>;
  /** Ends the look, however far it came. */
  stop(): void;
}

const STDIO: ForkOptions = { stdio: ["ignore", "ignore", "ignore", "ipc"] };
const AGAIN_MS = 5000;

function verdictOf(looking: ChildProcess): Promise<Verdict> {
  return new Promise((resolve) => {
    looking.on("message", (verdict) => resolve(verdict as Verdict));
    looking.on("error", ({ message }) => resolve({ trouble: message }));
    looking.on("exit", (code, signal) => resolve({ trouble: `it ended with ${code ?? signal}` }));
  });
}

/** The source as it lies here, or the file the bundle made of it. */
function programFile(): URL {
  return new URL(
    import.meta.url.endsWith(".ts") ? "./integrity-check-process.ts" : "./integrity-check-process.js",
    import.meta.url,
  );
}
