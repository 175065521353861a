import { stripVTControlCharacters, styleText } from "node:util";
import { ChestError, toEnvelope } from "@chest/contracts";
import { NAME, type OwnName, typedHere } from "@chest/runtime/own-name";
import { openProgressLine } from "./progress-line.ts";
import { harmless, harmlessJson, onOneLine } from "./strip-control-characters.ts";
import { tableLines } from "./table.ts";

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Reads from terminal and environment whether colours are wanted; NO_COLOR switches them off. */
  hasColors?(): boolean;
  write(text: string): unknown;
}

type Format = "bold" | "cyan" | "dim" | "green" | "red" | "yellow";

/** Output of a command: data on stdout, problems on stderr. */
export interface Output {
  /** Prints a line for people, in which commands can be pasted; silent with `--json` or `--quiet`. */
  say(line: string): void;
  /** Prints a line that contains other users' text: it stays one line, and control characters are made harmless. */
  show(line: string, format?: Format): void;
  /** Prints rows that contain other users' text: as a table as wide as the terminal, elsewhere one line each. */
  rows(rows: readonly (readonly string[])[]): void;
  /**
   * Runs long work. On a terminal a line shows how long it has taken, and disappears at the end.
   * @param work receives a function that reports progress
   */
  working<T>(label: string, work: (tell: (detail: string) => void) => T | Promise<T>): Promise<T>;
  /** Advises the next step. */
  hint(text: string): void;
  /** Prints the single document of `--json`; silent without that flag. */
  document(value: unknown): void;
  /** Prints a text that the user requested, such as a usage; with colours only on a terminal. */
  page(text: string): void;
  /** Warns on stderr of deviations from the request; silent with `--quiet`. */
  warn(line: string): void;
  /** Prints on stderr how to use the command. */
  usage(line: string): void;
  /** Prints an error with its hint on stderr; with `--json` also the error envelope on stdout. */
  problem(error: Problem): void;
}

export interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface OutputOptions {
  readonly isJson: boolean;
  /** Prints nothing but the document of `--json`; the exit code tells the result. */
  readonly isQuiet: boolean;
  /** Prints problems with their details. */
  readonly isVerbose: boolean;
  /** Name of this command line, for printed commands. */
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
      let progress = "";
      const draw = () =>
        line.tell(
          () => `${label}${progress && `, ${progress}`} … ${Math.round((performance.now() - startedAt) / 1000)} s`,
        );
      draw();
      const timer = setInterval(draw, EVERY_MS).unref();
      try {
        return await work((detail) => {
          progress = detail;
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
