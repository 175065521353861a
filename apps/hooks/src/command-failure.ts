import { isReading, redact, tellingLinesOf } from "@chest/core";
import { beginningOf, isObject, textOf } from "./process/hook-input.ts";

/** Words of a command that went well by its exit code, and failed all the same. */
const HARD =
  /Traceback \(most recent call last\)|\bpanic(?:ked)?\b|\b[A-Z]\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\berror(?:\[\w+\]|\s+[A-Z]+\d+)?:|\b(?:TS|CS)\d{4}\b|\bfatal:|command not found|No such file or directory|Segmentation fault|\bFAIL(?:ED)?\b/;
const NOTHING_FAILED = /\b0 (?:failed|failures|errors)\b/i;

const MAX_COMMAND = 500;
const HEAD = 800;
const MAX_TELLING = 1200;
const MAX_ERROR = 4000;
/** Characters at the beginning and at the end of a long output that are looked at. */
const MAX_READ = 65_536;

export interface Failure {
  readonly command: string;
  readonly error: string;
}

interface Ran {
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly toolResponse: unknown;
  readonly error: string | undefined;
}

/**
 * Describes a failed command, unless it was a search without a find. What the host calls a failure is one, as soon as its
 * output says anything; what it does not has to look like one. Without secrets.
 */
export function failureOf({ toolInput, toolResponse, error }: Ran): Failure | undefined {
  const command = beginningOf(textOf(toolInput.command)) ?? "";
  const output = readable(error ?? outputOf(toolResponse));
  const isFailure = error === undefined ? looksFailed(command, output) : saysWhy(command, output);
  if (!isFailure) return undefined;
  // Before it is cut: half a secret is known as none.
  return { command: redact(command).slice(0, MAX_COMMAND), error: middleLeftOut(redact(output)) };
}

const looksFailed = (command: string, output: string): boolean =>
  !isReading(command) && HARD.test(output) && !NOTHING_FAILED.test(output);

const EXIT_CODE = /^[^\S\n]*Exit code \d+[^\S\n]*$/gim;

function saysWhy(command: string, output: string): boolean {
  if (!isReading(command)) return /\S/.test(output.replace(EXIT_CODE, ""));
  const lines = tellingLinesOf(output);
  // What a search printed was found, and is no failure; what it says of itself is one.
  const programs = (command.match(/(?<=^|[|;&\n])[^\S\n]*[\w.-]+/g) ?? []).map((each) => each.trim());
  const own = programs.includes("git") ? [...programs, "fatal", "error"] : programs;
  return lines.some((line) => own.some((name) => line.startsWith(`${name}: `)));
}

function outputOf(response: unknown): string {
  if (typeof response === "string") return response;
  if (!isObject(response)) return "";
  return [textOf(response.stderr), textOf(response.stdout)].filter(Boolean).join("\n");
}

/** The beginning and the end of what is too long to be read whole, without the words that the cuts part. */
function readable(output: string): string {
  if (output.length <= 2 * MAX_READ) return output;
  return `${output.slice(0, MAX_READ).replace(/\S*$/, "")}\n${output.slice(-MAX_READ).replace(/^\S*/, "")}`;
}

/** The beginning says what was run, the end what became of it; between them stand the lines that say what was wrong. */
function middleLeftOut(text: string): string {
  if (text.length <= MAX_ERROR) return text;
  const telling = tellingLinesOf(text).join("\n").slice(0, MAX_TELLING);
  const head = text.slice(0, HEAD);
  return `${head}\n${telling}\n${text.slice(head.length + telling.length - MAX_ERROR + 2)}`;
}
