import { cut } from "../text/cut.ts";
import type { Candidate } from "./candidate.ts";
import { commandOf } from "./command-kinds.ts";
import { isPartMended, partsThatAct } from "./command-parts.ts";
import { isReading } from "./commands.ts";
import { explanationIn } from "./lessons/mended.ts";
import { isAcknowledgement } from "./noise.ts";
import { sentencesIn } from "./sentences.ts";
import { inFolder } from "./wording.ts";

/** A failed command, with the messages and steps that followed. Redacted. */
export interface FailedRun {
  readonly key: string;
  readonly command: string;
  readonly error: string;
  /** Milliseconds. */
  readonly at: number;
  /** Number of requests when it failed. */
  readonly prompts: number;
  /** Parts of its command line that have not gone well since. */
  left: string[];
  /** First words of the agent after it. */
  said?: string | undefined;
  /** Later words that explain it. */
  cause?: string | undefined;
  /** Commands that went well soon after it, and the last one of all. */
  ran: string[];
  last?: string | undefined;
  /** Files that were edited soon after it. */
  files: string[];
  /** Number of commands and edits since. */
  deeds: number;
  /** Command with which all of it went well. */
  passed?: string | undefined;
}

const MOST_OPEN = 10;
const MOST_REQUESTS = 2;
const MOST_RAN = 2;
/** Number of commands and edits after which others are of something else, as long as the command is not tried again. */
const SOON = 6;
const MOST_FILES = 3;
const MAX_SAID = 180;
const MAX_ERROR = 200;
const MAX_SHOWN = 90;

/** Notes a failure beside those that are still open. What only reads is looked for, and fails for no reason that lasts. */
export function withFailure(
  open: readonly FailedRun[] = [],
  run: Pick<FailedRun, "key" | "command" | "error" | "at" | "prompts">,
): FailedRun[] {
  const left = partsThatAct(run.command);
  if (left.length === 0 || isReading(run.command)) return [...open];
  if (open.some(({ command, error }) => command === run.command && error === run.error)) return [...open];
  return [...open, { ...run, error: cut(run.error, MAX_ERROR), left, ran: [], files: [], deeds: 0 }].slice(-MOST_OPEN);
}

/** Attaches a message of the agent to all open failures. */
export function sayOf(open: readonly FailedRun[], text: string): void {
  for (const run of open) {
    if (run.said === undefined) run.said = firstWords(text);
    else if (run.deeds < SOON) run.cause ??= explanationIn(text)?.slice(0, MAX_SAID);
  }
}

function firstWords(text: string): string | undefined {
  let words = "";
  for (const sentence of sentencesIn(text).flat()) {
    if (isAcknowledgement(sentence) || sentence.startsWith("|")) continue;
    if (words !== "" && words.length + sentence.length >= MAX_SAID) break;
    words = words === "" ? sentence : `${words} ${sentence}`;
  }
  return words === "" ? undefined : cut(words, MAX_SAID);
}

/** Notes a successful command. @returns the failures that it ends, and those that are still open */
export function afterSuccess(
  open: readonly FailedRun[],
  command: string,
): { readonly over: readonly FailedRun[]; readonly open: FailedRun[] } {
  const parts = partsThatAct(command);
  const over: FailedRun[] = [];
  const rest: FailedRun[] = [];
  for (const run of open) {
    if (parts.length > 0) run.deeds += 1;
    run.left = run.left.filter((part) => !parts.some((each) => isPartMended(part, each)));
    if (run.left.length === 0) run.passed = command;
    else if (parts.length > 0) {
      run.last = command;
      if (run.deeds <= SOON && run.ran.length < MOST_RAN && !run.ran.includes(command)) run.ran.push(command);
    }
    (run.left.length === 0 ? over : rest).push(run);
  }
  return { over, open: rest };
}

/** Notes an edited file. */
export function afterEdit(open: readonly FailedRun[], path: string): void {
  for (const run of open) {
    run.deeds += 1;
    if (run.deeds <= SOON && !run.files.includes(path) && run.files.length < MOST_FILES) run.files.push(path);
  }
}

/** Failures that the agent may still be working on. It has given up those from two prompts ago. */
export const stillOpen = (open: readonly FailedRun[], prompts: number): FailedRun[] =>
  open.filter((run) => prompts - run.prompts <= MOST_REQUESTS);

/** Writes the note of a failure: the command, its explanation and the steps taken. Undefined if nothing was done. */
export function noteOf(run: FailedRun, cwd: string | undefined): Candidate | undefined {
  const { command, error, said, cause, files, passed, key, at } = run;
  const isOver = passed !== undefined;
  // Right before it went well, what mended it may have been done.
  const ran = [...run.ran, ...(isOver && run.last !== undefined && !run.ran.includes(run.last) ? [run.last] : [])];
  const change = passed === undefined ? undefined : changeOf(command, passed);
  const did = [
    ...(files.length > 0 ? [`edited ${files.map((file) => inFolder(file, cwd)).join(", ")}`] : []),
    ...(ran.length > 0 ? [`ran ${ran.map((each) => `\`${shown(each)}\``).join(", ")}`] : []),
  ].join(" and ");
  if (!isOver && said === undefined && did === "") return undefined;
  if (isOver && said === undefined && did === "" && change === undefined) return undefined;
  const end = [
    ...(did === "" ? [] : [`Then the agent ${did}`]),
    ...(isOver ? [change === undefined ? "It went well again" : `It went well ${change}`] : []),
  ].join(". ");
  const words = [said, cause].filter((each) => each !== undefined);
  const text = [`\`${shown(command)}\` failed: ${error}`, ...(words.length > 0 ? [words.join(" ")] : []), end]
    .filter(Boolean)
    .join("\n");
  return { rule: "failure", key, at: new Date(at), text };
}

const SETS_THE_STAGE = /^(?:cd\s+\S+\s*(?:&&|;)\s*)+/;
const shown = (command: string): string => cut(commandOf(command.trimStart().replace(SETS_THE_STAGE, "")), MAX_SHOWN);

/** How the command that went well differs from the one that failed; undefined where it is the same. */
function changeOf(failed: string, passed: string): string | undefined {
  const [before, now] = [failed, passed].map((each) => each.trim().replace(SETS_THE_STAGE, ""));
  if (before === undefined || now === undefined || before === now || now === "") return undefined;
  if (shown(before) !== shown(now)) return `as \`${shown(now)}\``;
  const words = now.split(/\s+/);
  const old = before.split(/\s+/);
  const at = words.findIndex((word, nth) => word !== old[nth]);
  if (at < 0) return undefined;
  const of = (each: readonly string[]) => cut(each.slice(Math.max(0, at - 1), at + 4).join(" "), MAX_SHOWN);
  return `with \`${of(words)}\` in place of \`${of(old)}\``;
}
