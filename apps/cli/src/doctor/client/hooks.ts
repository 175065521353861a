import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { StartError } from "@chest/runtime";
import { type HookRun, hookLogFile, isFailure, olderHookLogFile, readHookLog } from "@chest/runtime/hook-log";
import { HOOK_EVENTS } from "../../agents/claude/hook-events.ts";
import { findOurs, type HandlerPlace } from "../../agents/claude/hook-settings.ts";
import { hookFileIn, isTableCurrent } from "../../agents/claude/install-hooks.ts";
import { shippedHookProgram } from "../../agents/claude/shipped.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import type { Check, Finding } from "../check.ts";
import { NO_CLAUDE } from "./claude.ts";
import { type InspectedClient, parseFix } from "./target.ts";

const FIX = "chest-index install-hooks";
const SLOW_MS = 1000;
const TRIES = 3;

export const hooks: Check<InspectedClient> = {
  id: "client.hooks",
  title: "the agent's events recall and save by themselves",
  async run({ claudeDir, claudeSettings, dataDir }, signal) {
    if (!existsSync(claudeDir)) return NO_CLAUDE;
    const places = placesIn(claudeSettings);
    if (typeof places === "string") return { status: "fail", message: places, fix: parseFix(claudeSettings) };
    return inOrder(places) ?? onFile(dataDir, places) ?? (await running(places, signal));
  },
};

/** Finds Chest's handlers in the settings, or describes what is wrong with the settings. */
function placesIn(file: string): HandlerPlace[] | string {
  try {
    return findOurs(existsSync(file) ? readFileSync(file, "utf8") : undefined, file);
  } catch (error) {
    if (error instanceof StartError) return `${error.message}\n${error.hint}`;
    throw error;
  }
}

/** Checks that every event has exactly one handler, and that all run the same program. */
function inOrder(places: readonly HandlerPlace[]): Finding | undefined {
  if (places.length === 0) return { status: "warn", message: "no hook is registered", fix: FIX };
  const events = places.map(({ event }) => event);
  const twice = events.find((event, at) => events.indexOf(event) !== at);
  if (twice) return { status: "fail", message: `\`${twice}\` has more than one hook of Chest`, fix: FIX };
  const programs = new Set(places.map(({ command }) => command.replace(/(?<!\s)\s+\S+$/, "")));
  if (programs.size > 1) return { status: "fail", message: "they run different programs", fix: FIX };
  const missing = HOOK_EVENTS.filter(({ event, since }) => !since && !events.includes(event));
  if (missing.length === 0) return undefined;
  return { status: "warn", message: `not registered: ${missing.map(({ event }) => event).join(", ")}`, fix: FIX };
}

/**
 * Checks that the handlers run the data folder's program, and that the program and its word table belong to this
 * release.
 */
function onFile(dataDir: string, [first]: readonly HandlerPlace[]): Finding | undefined {
  const file = hookFileIn(dataDir);
  if (!existsSync(file)) return { status: "fail", message: `\`${file}\` is not there`, fix: FIX };
  if (!first?.command.includes(file)) return { status: "fail", message: `they do not run \`${file}\``, fix: FIX };
  const program = shippedHookProgram();
  if (readFileSync(file, "utf8") !== readFileSync(program, "utf8"))
    return { status: "warn", message: `\`${file}\` is of another release`, fix: FIX };
  if (isTableCurrent(dataDir, program)) return undefined;
  const message =
    "the table beside the hook program is missing, damaged or of another release: hooks find by words only";
  return { status: "warn", message, fix: FIX };
}

/**
 * Runs a hook without an event in the agent's shell. The first run may be slow, so it is not judged by its duration.
 */
async function running([first]: readonly HandlerPlace[], signal: AbortSignal): Promise<Finding> {
  if (!first) return { status: "skip", message: "there is none" };
  let ms = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && ms >= SLOW_MS; left--) {
    const ended = await runOnce(first.command, signal);
    if (ended.exitCode !== 0 || ended.stderr !== "") {
      const message = `\`${first.command}\` ends with ${ended.exitCode}\n${ended.stderr}`.trim();
      return { status: "fail", message, fix: FIX };
    }
    ms = Math.min(ms, ended.ms);
  }
  const message = `${ms} ms for an event with nothing to do`;
  return ms < SLOW_MS ? { status: "ok", message } : { status: "warn", message, fix: "chest-index doctor client" };
}

async function runOnce(command: string, signal: AbortSignal) {
  const startedAt = performance.now();
  const child = spawn(command, { shell: true, signal, stdio: ["pipe", "ignore", "pipe"] });
  child.stdin.on("error", () => undefined); // The process may end before it reads its input.
  child.stdin.end("{}");
  const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { exitCode: child.exitCode, stderr: stderr.trim(), ms: Math.round(performance.now() - startedAt) };
}

const DAY_MS = 86_400_000;

/** Hooks never print errors; they report failures in their log only. */
export const hookLog: Check<InspectedClient> = {
  id: "client.hook_log",
  title: "hooks ran without errors in the last day",
  async run({ dataDir }) {
    const file = hookLogFile(dataDir);
    const older = olderHookLogFile(dataDir);
    const there = [older, file].filter((path) => existsSync(path));
    if (there.length === 0) return { status: "skip", message: "no hook has run yet" };
    const texts = await Promise.all(there.map((path) => readFile(path, "utf8")));
    const runs = texts.flatMap(readHookLog).filter(isOfThisDay);
    const failures = runs.filter(isFailure);
    const last = failures.at(-1);
    if (!last) return { status: "ok", message: `${counted(runs.length, "run")}, none failed` };
    const message = `${failures.length} of ${counted(runs.length, "run")} failed, the last one ${runText(last)}`;
    if (isOver(failures, runs)) return { status: "ok", message: `${message}\nlater runs succeeded` };
    return { status: "warn", message: `${message}\nthe next run of it shows whether it is over` };
  },
};

/** Selects runs of the last day. A run without an event, such as a doctor's test run, does not count. */
const isOfThisDay = ({ at, outcome }: HookRun): boolean => outcome !== "no_event" && Date.now() - at.getTime() < DAY_MS;

/** Tells whether every failed event has succeeded since. */
const isOver = (failures: readonly HookRun[], runs: readonly HookRun[]): boolean =>
  failures.every((failed) =>
    runs.slice(runs.indexOf(failed) + 1).some((run) => run.event === failed.event && !isFailure(run)),
  );

const runText = ({ at, event, outcome, code = "for an unknown reason" }: HookRun): string =>
  `\`${event}\` at ${at.toISOString()}: ${outcome === "failed" ? code : outcome}`;
