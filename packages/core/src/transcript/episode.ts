import { cut } from "../text/cut.ts";
import type { Candidate } from "./candidate.ts";
import { commandOf, isSameCommand } from "./command-kinds.ts";
import { type Deed, deedsOf, isReading } from "./commands.ts";
import { errorLineOf } from "./failures.ts";
import { CUT, inFolder } from "./wording.ts";

type Outcome = "failed" | "well" | "ran";

/** One thing that was done, and how it ended; a repeat is the same thing. Redacted. */
export type Step =
  | { readonly kind: "edit"; readonly path: string; times: number }
  | {
      readonly kind: Deed | "error";
      readonly command: string;
      readonly first: Outcome;
      last: Outcome;
      /** Error line of its last failure. */
      error?: string | undefined;
    };

/** Episode: a run of actions of an agent. */
export interface Episode {
  readonly key: string;
  readonly cwd: string | undefined;
  /** Milliseconds, of the last step. */
  at: number;
  steps: Step[];
  /** Files that were read, each once. */
  reads: string[];
}

/** Time and place of an action. */
export interface Occasion {
  /** Key of an episode that begins with this step. */
  readonly key: string;
  readonly cwd: string | undefined;
  readonly at: Date;
}

const MOST_STEPS = 10;
const MOST_READS = 50;
const MANY_READS = 8;
const QUIET_MS = 300_000;
const NAMED = 10;
const MAX_PATH = 200;

/** Lists a command's steps worth recording. @param failure its output when it failed; undefined when it succeeded. */
export function stepsOf(command: string, failure: string | undefined): Step[] {
  const parts = deedsOf(command);
  if (failure === undefined) {
    return parts.map(({ deed: kind, command, isOutcomeKnown }) => {
      const outcome = isOutcomeKnown ? "well" : "ran";
      return { kind, command, first: outcome, last: outcome };
    });
  }
  const line = errorLineOf(failure);
  const kind = parts[0]?.deed ?? "error";
  if (isReading(command) || (kind === "error" && line === undefined)) return [];
  const error = line && cut(line, CUT.sentence);
  // Which part of it failed is not known.
  return [{ kind, command: commandOf(command), first: "failed", last: "failed", error }];
}

/** Adds a step to its episode: the open one or, if that is over, a new one. */
export function withStep(open: Episode | undefined, step: Step, occasion: Occasion): Episode {
  const episode = current(open, occasion);
  const same = episode.steps.find((each) => isRepeat(each, step));
  if (!same && episode.steps.length >= MOST_STEPS) return withStep(undefined, step, occasion);
  if (same?.kind === "edit") same.times += 1;
  else if (same && step.kind !== "edit") Object.assign(same, { last: step.last, error: step.error });
  else episode.steps.push(step);
  return episode;
}

/** Adds a file that was read to the open episode. */
export function withRead(open: Episode | undefined, path: string, occasion: Occasion): Episode {
  const episode = current(open, occasion);
  if (!episode.reads.includes(path) && episode.reads.length < MOST_READS) episode.reads.push(path);
  return episode;
}

function current(open: Episode | undefined, { key, cwd, at }: Occasion): Episode {
  const time = at.getTime();
  if (!open || time - open.at > QUIET_MS || isElsewhere(open.cwd, cwd)) {
    return { key, cwd, at: time, steps: [], reads: [] };
  }
  open.at = Math.max(open.at, time);
  return open;
}

/** Another project, and not another folder of the same. */
function isElsewhere(before: string | undefined, now: string | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  const [a, b] = [before, now].map((path) => `${path.replaceAll("\\", "/").replace(/(?<!\/)\/+$/, "")}/`);
  return a !== undefined && b !== undefined && !a.startsWith(b) && !b.startsWith(a);
}

function isRepeat(a: Step, b: Step): boolean {
  if (a.kind === "edit" || b.kind === "edit")
    return a.kind === b.kind && "path" in a && "path" in b && a.path === b.path;
  if (a.kind === "git" || a.kind === "deploy") return a.kind === b.kind && a.command === b.command;
  return isSameCommand(a.command, b.command);
}

/**
 * Words the memory of an episode: its steps and how it ended, and of any output nothing but the line that
 * names a failure. Undefined where it tells nothing that its edits do not tell by themselves.
 */
export function memoryOf({ key, at, steps, reads }: Episode, root: string | undefined): Candidate | undefined {
  const isAny = steps.some(({ kind }) => kind === "git" || kind === "deploy");
  const isMore = steps.length > 1 && steps.some(({ kind }) => kind !== "edit");
  if (!isAny && !isMore && reads.length < MANY_READS) return undefined;
  const named = (path: string) => cut(inFolder(path, root), MAX_PATH);
  const edits = steps.flatMap((step) => (step.kind === "edit" ? [step] : []));
  const looked = reads.length >= MANY_READS ? [`Read ${listed(reads.map(named))}`] : [];
  const text = [
    titleOf(
      steps,
      edits.map(({ path }) => named(path)),
      reads.length,
    ),
    ...(edits.length > 0 ? [`Edited ${edits.map(({ path, times }) => `${named(path)} (${times})`).join(", ")}`] : []),
    ...steps.flatMap((step) => (step.kind === "edit" ? [] : [`\`${step.command}\` ${endOf(step)}${errorOf(step)}`])),
    ...looked,
  ].join("\n");
  return { rule: "episode", key, text, at: new Date(at) };
}

type Run = Exclude<Step, { kind: "edit" }>;

const NOUNS = { test: "tests", build: "the build", error: "a command", git: "git", deploy: "a deployment" } as const;

function titleOf(steps: readonly Step[], edited: readonly string[], reads: number): string {
  const runs = steps.filter((step): step is Run => step.kind !== "edit");
  const ends = (["test", "build", "error", "git", "deploy"] as const).flatMap((kind) => {
    const own = runs.filter((run) => run.kind === kind);
    // Failures count for more than successes.
    const telling = own.find(({ last }) => last === "failed") ?? own.find(({ first }) => first === "failed") ?? own[0];
    return telling ? [`${NOUNS[kind]} ${endOf(telling)}`] : [];
  });
  const [first, ...more] = edited;
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  const looked = reads >= MANY_READS ? `Looked through ${reads} files` : undefined;
  const subject = first ? `Worked on ${first}${others}` : looked;
  const title = [subject, ends.join("; ")].filter(Boolean).join(": ");
  return `${title.slice(0, 1).toUpperCase()}${title.slice(1)}`;
}

const endOf = ({ kind, first, last }: Run): string => {
  const words = { failed: "failed", well: kind === "test" ? "passed" : "went well", ran: "ran" };
  return first === last ? words[last] : `${words[first]}, then ${words[last]}`;
};

const errorOf = ({ last, error }: Run): string => (last === "failed" && error !== undefined ? `: ${error}` : "");

const listed = (names: readonly string[]): string =>
  `${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ""}`;
