import { stripVTControlCharacters } from "node:util";
import { ChestError, toEnvelope } from "@chest/contracts";
import { NAME, typedHere } from "./own-name.ts";

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Where a command's words go: data on stdout, problems on stderr. */
export interface Output {
  /** A line for a person; nothing with `--json` or `--quiet`. */
  say(line: string): void;
  /** What to do next, with its commands as they can be typed here. */
  hint(text: string): void;
  /** The one document of `--json`; nothing without. */
  document(value: unknown): void;
  /** Text that was asked for itself, like a usage; colours only on a terminal. */
  page(text: string): void;
  /** A message and its hint. With `--json` the envelope as well, on stdout. */
  problem(error: Problem): void;
}

export interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface OutputOptions {
  readonly isJson: boolean;
  /** The exit code tells; so does the document, where one is asked for. */
  readonly isQuiet: boolean;
  /** Problems with their details. */
  readonly isVerbose: boolean;
  /** How this command line is called here. */
  readonly name?: string | undefined;
  readonly stdout?: Stream | undefined;
  readonly stderr?: Stream | undefined;
}

export function openOutput(options: OutputOptions): Output {
  const { isJson, isQuiet, isVerbose, name = NAME, stdout = process.stdout, stderr = process.stderr } = options;
  const print = (stream: Stream, text: string) =>
    void stream.write(`${stream.isTTY ? text : stripVTControlCharacters(text)}\n`);
  const say = (line: string) => (isJson || isQuiet ? undefined : print(stdout, line));
  return {
    say,
    hint: (text) => say(`hint: ${typedHere(text, name)}`),
    document: (value) => (isJson ? print(stdout, JSON.stringify(value, undefined, 2)) : undefined),
    page: (text) => print(stdout, text),
    problem(error) {
      if (isJson) print(stdout, JSON.stringify(envelopeOf(error), undefined, 2));
      print(stderr, `${NAME}: ${error.message}`);
      if (error.hint) print(stderr, `hint: ${typedHere(error.hint, name)}`);
      if (isVerbose && error instanceof ChestError) print(stderr, JSON.stringify(error.details ?? {}));
    },
  };
}

const envelopeOf = (problem: Problem) =>
  toEnvelope(
    problem instanceof ChestError
      ? problem
      : new ChestError("INVALID_INPUT", problem.message, problem.hint === undefined ? {} : { hint: problem.hint }),
  );
