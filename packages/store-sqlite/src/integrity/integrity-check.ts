import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { faultInRows, faultsOf } from "../database/integrity-faults.ts";
import { Damaged } from "../database/sqlite-errors.ts";

// A check takes ten milliseconds per megabyte: small files, and files after a crash, are checked before opening; larger
// ones while open.
const ALWAYS_UP_TO_BYTES = 8 * 1024 * 1024;
const AFTER_CRASH_UP_TO_BYTES = 256 * 1024 * 1024;

/** Whether a file is checked before it is opened. */
export function isCheckedFirst(path: string, isAfterCrash = false): boolean {
  return statSync(path).size <= (isAfterCrash ? AFTER_CRASH_UP_TO_BYTES : ALWAYS_UP_TO_BYTES);
}

/** Sound part of a file: all, or all but the full-text index, which can be rebuilt. */
export type FileIntegrity = "whole" | "without index";

/** Checks a file over a read-only connection; throws `Damaged` if its rows are damaged. */
export function checkIntegrity(path: string): FileIntegrity {
  if (statSync(path).size === 0) return "whole";
  const db = new Database(path, { readonly: true });
  try {
    // One snapshot for the whole check, because a migration elsewhere could change tables in between.
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

/** Result of the checking process: sound, damaged, or unable to check. */
export type Verdict =
  | { readonly soundness: FileIntegrity }
  | { readonly damage: string }
  | { readonly trouble: string };

/**
 * Checks a file that other processes use. The check runs in a process, because a thread cannot be stopped in the middle
 * of a statement.
 */
export function checkInProcess(path: string): Promise<Verdict> {
  return verdictOf(fork(programFile(), [path], STDIO));
}

/** Repeats the check until there is a result. */
export function checkUntilKnown(path: string, onTrouble: (trouble: string) => void): BackgroundCheck {
  const stopping = new AbortController();
  let looking: ChildProcess | undefined;
  const look = async (): Promise<FinalVerdict> => {
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

type FinalVerdict = Exclude<Verdict, { readonly trouble: string }>;

export interface BackgroundCheck {
  /** Rejects when stopped. */
  readonly verdict: Promise<FinalVerdict>;
  /** Stops the check. */
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

/** File of the program: the source, or the bundled file. */
function programFile(): URL {
  return new URL(
    import.meta.url.endsWith(".ts") ? "./integrity-check-process.ts" : "./integrity-check-process.js",
    import.meta.url,
  );
}
