import { cut } from "../../text/cut.ts";
import type { Carry } from "../carry.ts";
import { commandOf, isDiagnosis, isMending, isProofFor } from "../command-kinds.ts";
import { isReading } from "../commands.ts";
import { effectiveLength, isAcknowledgement } from "../noise.ts";
import { sentencesIn } from "../sentences.ts";
import { CUT, inFolder } from "../wording.ts";
import { type Sign, signsOf } from "./signs.ts";

type Failing = Carry["failing"][number];

// What is said of the moment explains nothing.
const NO_EXPLANATION: readonly Sign[] = [
  "plan",
  "guess",
  "opens",
  "ask",
  "table",
  "heading",
  "outcome",
  "fine",
  "passing",
];
const EXPLAINS: readonly Sign[] = [
  "cause",
  "because",
  "consequence",
  "known",
  "trouble",
  "repair",
  "denial",
  "only",
  "must",
  "lacks",
  "place",
  "contrast",
  "quiet",
  "always",
];
/** A thing that is so and so is a reason, whatever its words. */
const STATES = /^(?:(?:the|an?|every|each|no|both|our) \S+|`[^`]+`) \S/i;
const ABOUT_THE_EDIT = /^(?:the|this|that|my) (?:edit|change|replacement|patch)\b/i;
// A linter's finding on code in the making is worth a lesson only with its ground.
const GROUNDS: readonly Sign[] = ["cause", "because", "known"];
const MIN_CHARS = 25;
// A failure of long ago went away with much else.
const MOST_REQUESTS = 2;
const MOST_COMMANDS = 3;

/** Sentences of an agent that explain an error, without plans and celebration; undefined if there are none. */
export function explanationIn(text: string | undefined): string | undefined {
  const sentences = sentencesIn(text ?? "")
    .flat()
    .filter(
      (each) =>
        effectiveLength(each) >= MIN_CHARS &&
        !ABOUT_THE_EDIT.test(each) &&
        !isAcknowledgement(each) &&
        !isAny(signsOf(each), NO_EXPLANATION),
    );
  return sentences.length === 0 ? undefined : cut(sentences.join(" "), CUT.what);
}

/**
 * Words the lesson of a failure that is over: its own line, and what was changed or run before the command went well.
 * Undefined where that is not known, or where it is worth nothing: a linter's finding on code in the making.
 */
export function mendedBy(failing: Failing, passed: string, { cwd, prompts }: Carry): string | undefined {
  const { command, error, files, how, ran = [] } = failing;
  if (!isProofFor(command, passed) || prompts - (failing.prompts ?? prompts) > MOST_REQUESTS) return undefined;
  if (isReading(command) || isTrivial(command)) return undefined;
  const signs = how === undefined ? [] : signsOf(how);
  const explains = isAny(signs, EXPLAINS);
  if (files.length > 0) {
    // Without a reason an edit is of its moment: the note of the failure tells it.
    const states = !isGit(command) && how !== undefined && STATES.test(how);
    if (!(isDiagnosis(command) ? isAny(signs, GROUNDS) : explains || states)) return undefined;
  }
  if (isGit(command) && EVERYDAY.test(error) && files.length === 0) return undefined;
  const means = [
    ...(files.length > 0 ? [`editing ${files.map((file) => inFolder(file, cwd)).join(", ")}`] : []),
    ...(ran.length > 0 && !(files.length > 0 && explains)
      ? [`running ${ran.map((each) => `\`${commandOf(each)}\``).join(", ")}`]
      : []),
    ...(files.length === 0 && ran.length === 0 && isWithMore(command, passed)
      ? [`running it as \`${commandOf(passed)}\``]
      : []),
  ];
  if (means.length === 0) return undefined;
  const why = files.length > 0 && how ? `: ${how}` : "";
  return `\`${commandOf(command)}\` failed: ${error}\nMended by ${means.join(" and ")}${why}`;
}

const isGit = (command: string): boolean => /(?:^|&& *|; *)git\b/.test(command);
// Files that are put somewhere, and words that are printed: a slip of the keyboard, not a fact.
const isTrivial = (command: string): boolean => /^\s*(?:echo|printf|test|\[|mkdir|rm|cp|mv|touch|cd)\b/.test(command);
// Common knowledge about git.
const EVERYDAY =
  /\[rejected\]|failed to push some refs|unstaged changes|would be overwritten|nothing to commit|conflict|did not match any|index\.lock/i;

/** Adds a command that went well to those that may have mended something. */
export function withCommand(ran: readonly string[] = [], command: string): string[] {
  if (!isMending(command)) return [...ran];
  return [...ran.filter((each) => each !== command), command].slice(-MOST_COMMANDS);
}

/** Whether two lines name one error: numbers, as of lines and times, may differ. */
export const isSameError = (a: string, b: string): boolean => plain(a) === plain(b);
const plain = (error: string): string => error.replace(/\d+/g, "0");

/** Whether the command that passed is the failed one with one more variable or option. */
function isWithMore(failed: string, passed: string): boolean {
  const [before, now] = [failed, passed].map((each) => each.trim().split(/\s+/));
  return (
    before !== undefined &&
    now !== undefined &&
    now.length > before.length &&
    before.every((word) => now.includes(word))
  );
}

const isAny = (signs: readonly Sign[], wanted: readonly Sign[]): boolean => signs.some((sign) => wanted.includes(sign));
