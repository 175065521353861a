import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { createInterface } from "node:readline";

// A group of its own: Ctrl-C reaches npm, its shell and the launcher at once, and the child must hear of it once, from here.
const OWN_GROUP = process.platform !== "win32";
const REPEAT_MS = 1000;
const PARENT_CHECK_MS = 100;

const children = new Set();
let interruptedBy;

/** Thrown when a signal came while the workspace was being prepared. */
export class Interrupted extends Error {
  code = null;
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

/** From now on a signal to the launcher is a signal to its children, and the launcher outlives them. */
export function forwardSignals() {
  let lastAt = 0;
  const forward = (signal) => {
    interruptedBy ??= signal;
    // The terminal and npm both pass one Ctrl-C on; only a later one is a second wish.
    if (Date.now() - lastAt < REPEAT_MS) return;
    lastAt = Date.now();
    for (const child of children) child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, forward);
  if (process.env.npm_lifecycle_event) onParentGone(() => forward("SIGTERM"));
  process.on("exit", () => {
    for (const child of children) killGroup(child);
  });
}

/** Throws when a signal has come: for the places where no child is there to hear it. */
export function throwIfInterrupted() {
  if (interruptedBy) throw new Interrupted(interruptedBy);
}

/**
 * Runs one program to its end. With `quiet` its output is kept and returned instead of shown, and `onLine` is called with
 * each line of it. With `bound` it has a channel to the launcher, which the system closes however the launcher dies: the
 * program gets "disconnect" and ends. With `isPatient` other programs go before it.
 */
export async function runChild(command, args, { quiet = false, bound = false, isPatient = false, onLine, ...options }) {
  throwIfInterrupted();
  const outputs = quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"];
  // With a shell Node joins the words as they are.
  const [program, ...words] = options.shell ? [command, ...args].map(wordForCmd) : [command, ...args];
  const child = spawn(program, words, {
    stdio: bound ? [...outputs, "ipc"] : outputs,
    detached: OWN_GROUP,
    ...options,
  });
  children.add(child);
  if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const output = [];
  child.stdout?.on("data", (chunk) => output.push(chunk));
  child.stderr?.on("data", (chunk) => output.push(chunk));
  if (onLine) createInterface({ input: child.stdout }).on("line", onLine);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => killGroup(child));
      child.once("close", (code, signal) => resolve({ code, signal, output: Buffer.concat(output).toString() }));
    });
  } finally {
    children.delete(child);
  }
}

/** One word for `cmd`, the shell of Windows, by which alone npm and pnpm are started there. */
export const wordForCmd = (word) => (/[\s&()^;,=]/.test(word) ? `"${word}"` : word);

/** The code a shell would give for how a program ended. */
export function exitCodeOf({ code, signal }) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}

/** A terminated npm ends only the shell between it and us: being orphaned is how we hear of it. */
function onParentGone(tell) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    tell();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** Ends a program's process group: all that it started and left behind. */
function killGroup(child) {
  if (child.pid === undefined) return;
  try {
    if (OWN_GROUP) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH" && error.code !== "EPERM") throw error;
  }
}
