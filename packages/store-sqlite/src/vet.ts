import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { Damaged } from "./backups/copy.ts";

// A look through a file takes ten milliseconds for each megabyte: what is small, or was left by a crash, is looked
// through before it is opened, anything larger while it is open already.
const ALWAYS_UP_TO_BYTES = 8 * 1024 * 1024;
const AFTER_CRASH_UP_TO_BYTES = 256 * 1024 * 1024;

/** Whether a file is looked through before it is opened. */
export function isVettedFirst(path: string, isAfterCrash = false): boolean {
  return statSync(path).size <= (isAfterCrash ? AFTER_CRASH_UP_TO_BYTES : ALWAYS_UP_TO_BYTES);
}

/** Throws `Damaged` for a file that is not whole, over a connection that can change nothing. */
export function vet(path: string): void {
  if (statSync(path).size === 0) return;
  const db = new Database(path, { readonly: true });
  try {
    const verdict = String(db.pragma("integrity_check(1)", { simple: true }));
    if (verdict !== "ok") throw new Damaged(`damaged: ${verdict.slice(0, 200)}`);
  } finally {
    db.close();
  }
}

/** What the program that looks beside tells: nothing is wrong, this is, or it could not look. */
export type Verdict = { readonly isWhole: true } | { readonly damage: string } | { readonly trouble: string };

/** The same beside whoever uses the file. A process and no thread: nothing ends a thread in the middle of a statement. */
export function vetBeside(path: string): Promise<Verdict> {
  return verdictOf(fork(programFile(), [path], STDIO));
}

/** The same again and again until the file was seen whole or damaged; `damage` is undefined for a whole one. */
export function vetUntilKnown(path: string, onTrouble: (trouble: string) => void): Vetting {
  const stopping = new AbortController();
  let looking: ChildProcess | undefined;
  const look = async (): Promise<string | undefined> => {
    for (;;) {
      stopping.signal.throwIfAborted();
      looking = fork(programFile(), [path], STDIO);
      const verdict = await verdictOf(looking);
      stopping.signal.throwIfAborted();
      if ("damage" in verdict) return verdict.damage;
      if ("isWhole" in verdict) return undefined;
      onTrouble(verdict.trouble);
      await sleep(AGAIN_MS, undefined, { signal: stopping.signal });
    }
  };
  const stop = () => {
    stopping.abort();
    looking?.kill("SIGKILL");
  };
  return { damage: look(), stop };
}

export interface Vetting {
  /** Rejects once it is stopped. */
  readonly damage: Promise<string | undefined>;
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
  return new URL(import.meta.url.endsWith(".ts") ? "./vet-program.ts" : "./vet-program.js", import.meta.url);
}

/** A log that nobody has open was left by a process that did not close. */
export const hasLog = (path: string): boolean => existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
