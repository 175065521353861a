import { isReading, redact } from "@chest/core";
import { isObject, textOf } from "./process/hook-input.ts";

const HARD =
  /Traceback \(most recent call last\)|\bpanic(?:ked)?\b|\b[A-Z]\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\berror(?:\[\w+\]|\s+[A-Z]+\d+)?:|\b(?:TS|CS)\d{4}\b|\bfatal:|command not found|No such file or directory|Segmentation fault|\bFAIL(?:ED)?\b/;
const NOTHING_FAILED = /\b0 (?:failed|failures|errors)\b/i;

const MAX_COMMAND = 500;
const HEAD = 1000;
const MAX_ERROR = 4000;

export interface Failure {
  readonly command: string;
  readonly error: string;
}

interface Ran {
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly toolResponse: unknown;
  readonly error: string | undefined;
}

/** Describes a failed command, unless it was a search without a find. Without secrets. */
export function failureOf({ toolInput, toolResponse, error }: Ran): Failure | undefined {
  const command = textOf(toolInput.command) ?? "";
  const output = error ?? outputOf(toolResponse);
  if (isReading(command) || !HARD.test(output) || NOTHING_FAILED.test(output)) return undefined;
  // Before it is cut: half a secret is known as none.
  return { command: redact(command).slice(0, MAX_COMMAND), error: middleLeftOut(redact(output)) };
}

function outputOf(response: unknown): string {
  if (typeof response === "string") return response;
  if (!isObject(response)) return "";
  return [textOf(response.stderr), textOf(response.stdout)].filter(Boolean).join("\n");
}

/** The beginning says what was run, the end what became of it. */
const middleLeftOut = (text: string): string =>
  text.length <= MAX_ERROR ? text : `${text.slice(0, HEAD)}\n${text.slice(HEAD - MAX_ERROR + 1)}`;
