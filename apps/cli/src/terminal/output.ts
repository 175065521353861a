import { stripVTControlCharacters, styleText } from "node:util";
import { ChestError, toEnvelope } from "@chest/contracts";
import { NAME, type OwnName, typedHere } from "@chest/runtime/own-name";
import { openProgressLine } from "./progress-line.ts";
import { harmless, harmlessJson, onOneLine } from "./strip-control-characters.ts";
import { tableLines } from "./table.ts";

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Asks the terminal and the environment, NO_COLOR among it. */
  hasColors?(): boolean;
  write(text: string): unknown;
}

type Format = "bold" | "cyan" | "dim" | "green" | "red" | "yellow";

/** Output of a command: data on stdout, problems on stderr. */
export interface Output {
  /** A line for a person, its commands as they can be typed here; nothing with `--json` or `--quiet`. */
  say(line: string): void;
  /** Prints a line with text of others in it: kept on one line, with control characters made harmless. */
  show(line: string, format?: Format): void;
  /** Rows with what others wrote in them: a table as wide as the terminal, elsewhere a line each. */
  rows(rows: readonly (readonly string[])[]): void;
  /**
   * Runs long work, with a line on a terminal that says how long it has taken and is removed at the end.
   * @param work receives a function that reports progress
   */
  working<T>(label: string, work: (tell: (detail: string) => void) => T | Promise<T>): Promise<T>;
  /** Advises the next step. */
  hint(text: string): void;
  /** The one document of `--json`; nothing without. */
  document(value: unknown): void;
  /** Text that was asked for itself, like a usage; colours only on a terminal. */
  page(text: string): void;
  /** Warns on stderr of deviations from the request; silent with `--quiet`. */
  warn(line: string): void;
  /** Prints on stderr how to type the command. */
  usage(line: string): void;
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
  readonly name?: OwnName | undefined;
  readonly stdout?: Stream | undefined;
  readonly stderr?: Stream | undefined;
}

const USUAL_COLUMNS = 80;
const EVERY_MS = 250;

export function openOutput(options: OutputOptions): Output {
  const {
    isJson,
    isQuiet,
    isVerbose,
    name = { program: NAME },
    stdout = process.stdout,
    stderr = process.stderr,
  } = options;
  const print = (stream: Stream, text: string) =>
    void stream.write(`${stream.isTTY ? text : stripVTControlCharacters(text)}\n`);
  const json = (value: unknown, indent?: number) => harmlessJson(JSON.stringify(value, undefined, indent));
  const tell = (line: string) => (isJson || isQuiet ? undefined : print(stdout, line));
  const say = (line: string) => tell(typedHere(harmless(line), name));
  const painted = (line: string, format: Format | undefined) =>
    format !== undefined && line !== "" && stdout.isTTY && stdout.hasColors?.()
      ? styleText(format, line, { validateStream: false })
      : line;
  return {
    say,
    show: (line, format) => tell(painted(onOneLine(line), format)),
    rows(rows) {
      const cells = rows.map((row) => row.map(onOneLine));
      const lines = stdout.isTTY
        ? tableLines(cells, stdout.columns ?? USUAL_COLUMNS)
        : cells.map((row) => row.filter(Boolean).join("  "));
      for (const line of lines) tell(line);
    },
    async working(label, work) {
      if (isJson || isQuiet || !stderr.isTTY) return work(() => undefined);
      const line = openProgressLine(stderr);
      const startedAt = performance.now();
      let told = "";
      const draw = () =>
        line.tell(() => `${label}${told && `, ${told}`} … ${Math.round((performance.now() - startedAt) / 1000)} s`);
      draw();
      const timer = setInterval(draw, EVERY_MS).unref();
      try {
        return await work((detail) => {
          told = detail;
          draw();
        });
      } finally {
        clearInterval(timer);
        line.end();
      }
    },
    hint: (text) => say(`hint: ${text}`),
    document: (value) => (isJson ? print(stdout, json(value, 2)) : undefined),
    page: (text) => print(stdout, text),
    warn: (line) => (isQuiet ? undefined : print(stderr, harmless(`${NAME}: ${line}`))),
    usage: (line) => print(stderr, harmless(`usage: ${line}`)),
    problem(error) {
      if (isJson) print(stdout, json(envelopeOf(error), 2));
      print(stderr, harmless(`${NAME}: ${error.message}`));
      if (error.hint) print(stderr, typedHere(harmless(`hint: ${error.hint}`), name));
      if (isVerbose && error instanceof ChestError) print(stderr, json(error.details ?? {}));
    },
  };
}

const envelopeOf = (problem: Problem) =>
  toEnvelope(
    problem instanceof ChestError
      ? problem
      : new ChestError("INVALID_INPUT", problem.message, problem.hint === undefined ? {} : { hint: problem.hint }),
  );
