import { redact } from "@chest/core/redaction";
import { isReading, tellingLinesOf } from "@chest/core/transcript";
import { beginningOf, isObject, textOf } from "./process/hook-input.ts";

/** Output of commands that failed despite exit code 0. */
const HARD =
  /Traceback \(most recent call last\)|\bpanic(?:ked)?\b|\b[A-Z]\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\berror(?:\[\w+\]|\s+[A-Z]+\d+)?:|\b(?:TS|CS)\d{4}\b|\bfatal:|command not found|No such file or directory|Segmentation fault|\bFAIL(?:ED)?\b/;
const NOTHING_FAILED = /\b0 (?:failed|failures|errors)\b/i;

const MAX_COMMAND = 500;
const HEAD = 800;
const MAX_TELLING = 1200;
const MAX_ERROR = 4000;
/** Characters read at the start and at the end of a long output. */
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
 * Describes a failed command, without secrets; undefined for success, or a search without a match. If the host reports
 * a failure, any output is enough; otherwise the output must look like one.
 */
export function failureOf({ toolInput, toolResponse, error }: Ran): Failure | undefined {
  const command = beginningOf(textOf(toolInput.command)) ?? "";
  const output = readable(error ?? outputOf(toolResponse));
  const isFailure = error === undefined ? looksFailed(command, output) : saysWhy(command, output);
  if (!isFailure) return undefined;
  // Redacted before it is cut, because half a secret is not recognised.
  return { command: redact(command).slice(0, MAX_COMMAND), error: middleLeftOut(redact(output)) };
}

const looksFailed = (command: string, output: string): boolean =>
  !isReading(command) && HARD.test(output) && !NOTHING_FAILED.test(output);

const EXIT_CODE = /^[^\S\n\r\u2028\u2029]*Exit code \d+[^\S\n\r\u2028\u2029]*$/gim;

function saysWhy(command: string, output: string): boolean {
  if (!isReading(command)) return /\S/.test(output.replace(EXIT_CODE, ""));
  const lines = tellingLinesOf(output);
  // The matches that a search printed are no failure; its own error messages are.
  const programs = (command.match(/(?<=^|[|;&\n])[^\S\n]*[\w.-]+/g) ?? []).map((each) => each.trim());
  const own = programs.includes("git") ? [...programs, "fatal", "error"] : programs;
  return lines.some((line) => own.some((name) => line.startsWith(`${name}: `)));
}

function outputOf(response: unknown): string {
  if (typeof response === "string") return response;
  if (!isObject(response)) return "";
  return [textOf(response.stderr), textOf(response.stdout)].filter(Boolean).join("\n");
}

/** Start and end of a long output, without words cut in half. */
function readable(output: string): string {
  if (output.length <= 2 * MAX_READ) return output;
  return `${output.slice(0, MAX_READ).replace(/\S*$/, "")}\n${output.slice(-MAX_READ).replace(/^\S*/, "")}`;
}

/** Shortens the middle: the start shows the command, the end its result; lines with errors between them are kept. */
function middleLeftOut(text: string): string {
  if (text.length <= MAX_ERROR) return text;
  const telling = tellingLinesOf(text).join("\n").slice(0, MAX_TELLING);
  const head = text.slice(0, HEAD);
  return `${head}\n${telling}\n${text.slice(head.length + telling.length - MAX_ERROR + 2)}`;
}
