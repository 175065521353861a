import { cut } from "../cut.ts";

/** A command as it is named: its first line that says something. */
export const commandOf = (command: string): string => cut(command.trimStart().split("\n", 1)[0] ?? "", MAX_COMMAND);
const MAX_COMMAND = 120;

const LEADING =
  /^(?:\s*(?:cd\s+\S+\s*(?:&&|;)|[A-Z_][A-Z0-9_]*=\S*|sudo|time|env|npx|command|set -\w+\s*(?:&&|;)))*\s*/;

/** Program, subcommand and the first argument that is no option: what a repeat has in common with the first try. */
function signature(command: string): string {
  const words = command
    .replace(LEADING, "")
    .split(/(?:(?<!\s)\s+)?(?:\||&&|;|>|2>)/)[0]
    ?.split(/\s+/)
    .filter((word) => word !== "" && !word.startsWith("-"));
  return (words ?? []).slice(0, 2).join(" ");
}

/** Was it the same that was tried: options and further arguments may differ. */
export const isSameCommand = (a: string, b: string): boolean => signature(a) !== "" && signature(a) === signature(b);

const HARD =
  /\b(?:[A-Z]\w*(?:Error|Exception)\b|panic(?:ked)?\b|traceback|fatal(?: error)?:|segmentation fault|core dumped|E[A-Z]{4,}\b|error\[E\d+\]|error TS\d+|undefined reference|cannot find (?:module|symbol|package)|command not found|no such file|permission denied|assertion(?: failed|error)|FAILED\b|FAIL:|✗|✖|npm ERR!|error:|exception:)/i;
const NOT_HARD = /\b0 (?:failed|errors?|failures)\b|^\s*(?:at |File "|\d+ \||\^+\s*$)/i;

/** The line of a failure that says what was wrong; undefined when none does. */
export function errorLineOf(output: string): string | undefined {
  const lines = output.split("\n").slice(0, 400);
  const line = lines.find((each) => HARD.test(each) && !NOT_HARD.test(each));
  return line?.replace(/\s+/g, " ").trim() || undefined;
}
