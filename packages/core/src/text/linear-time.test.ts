import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { REPEATED_UNITS } from "@chest/testing/repeated-units";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");
/** Sources that read texts of people, of programs, of requests or of settings. */
const SOURCES = [
  ...[
    "contracts",
    "core",
    "runtime",
    "store",
    "store-sqlite",
    "store-postgres",
    "client",
    "files",
    "models",
    "llm",
  ].map((name) => `packages/${name}/src`),
  ...["mcp-server", "sdk"].map((name) => `packages/${name}/src`),
  ...["server", "mcp", "hooks", "cli"].map((name) => `apps/${name}/src`),
];
const PASSED_OVER = /^(?:node_modules|generated|dist|docs|testing|make)$/;

/** Length of a text that shows, and still ends, where each character doubles the time. */
const SHORTEST = 40;
const MOST_MS = 100;
const [SHORT, LONG] = [2000, 16_000];
/** Time of a short text below which nothing is looked at further: its square is of no weight. */
const WORTH_A_LOOK_MS = 0.5;
/** Eight times the text takes eight times as long, or sixty-four times. */
const MOST_LONGER = 32;

/** The units whose repetition takes more than a time in proportion to its length. */
function slowUnits(run: (text: string) => unknown): string[] {
  return REPEATED_UNITS.filter((unit) =>
    ["", "a"].some((before) => {
      const text = (length: number) => `${before}${unit.repeat(length / unit.length)}\u0001`;
      if (leastMs(run, text(SHORTEST), 2) > MOST_MS) return true;
      if (leastMs(run, text(SHORT), 2) < WORTH_A_LOOK_MS) return false;
      const [short, long] = [leastMs(run, text(SHORT), 5), leastMs(run, text(LONG), 3)];
      return short >= WORTH_A_LOOK_MS && long / short > MOST_LONGER;
    }),
  );
}

/** Processor time of the fastest of some runs: other programs of the machine only make it longer. */
function leastMs(run: (text: string) => unknown, text: string, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < runs; nth++) {
    const before = performance.now();
    run(text);
    least = Math.min(least, performance.now() - before);
    if (least < WORTH_A_LOOK_MS) break;
  }
  return least;
}

describe("every expression of the sources", () => {
  it("reads a text of one repeated unit in a time in proportion to its length", () => {
    const slow = SOURCES.flatMap((folder) =>
      sourcesBelow(join(ROOT, folder)).flatMap((path) =>
        literalsIn(readFileSync(path, "utf8")).flatMap(({ line, ...expression }) => {
          const units = slowUnitsOf(expression);
          return units.length > 0
            ? [`${relative(ROOT, path)}:${line} /${expression.body}/ ${JSON.stringify(units)}`]
            : [];
        }),
      ),
    );
    expect(slow).toEqual([]);
  }, 120_000);
});

it("every expression that core puts together while it loads does so, too", () => {
  const program = join(import.meta.dirname, "testing/list-expressions.ts");
  const made: Expression[] = JSON.parse(execFileSync(process.execPath, [program], { encoding: "utf8" }));
  expect(made.length).toBeGreaterThan(50);
  const slow = made.flatMap((expression) => {
    const units = slowUnitsOf(expression);
    return units.length > 0 ? [`/${expression.body}/ ${JSON.stringify(units)}`] : [];
  });
  expect(slow).toEqual([]);
}, 120_000);

/** The units of which an expression takes too long. */
function slowUnitsOf({ body, flags }: Expression): string[] {
  // A sticky one is tried where it is told to, once.
  const isSticky = flags.includes("y");
  const expression = new RegExp(body, isSticky || flags.includes("g") ? flags : `${flags}g`);
  return slowUnits((text) => {
    expression.lastIndex = 0;
    return isSticky ? expression.exec(text) : text.replace(expression, "");
  });
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return PASSED_OVER.test(entry.name) ? [] : sourcesBelow(path);
    return /\.tsx?$/.test(entry.name) && !/\.(?:test|d)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

interface Expression {
  readonly body: string;
  readonly flags: string;
}

interface Literal extends Expression {
  readonly line: number;
}

/** Characters and words that may precede a regular expression, but not a division. */
const BEFORE = /(?:[(,=:[!&|?{};+~%^]|=>|^|\b(?:return|typeof|case|in|of|yield|await|void))\s*$/;
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*\/[a-z]*/g;

/** The expressions that a source writes as such. */
function literalsIn(source: string): Literal[] {
  const found: Literal[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(source); match; match = TOKEN.exec(source)) {
    const [token] = match;
    if (!token.startsWith("/") || /^\/[/*]/.test(token)) continue;
    const before = source.slice(Math.max(0, match.index - 40), match.index);
    const [, body = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(token) ?? [];
    if (BEFORE.test(before) && isExpression(body, flags)) {
      found.push({ body, flags, line: source.slice(0, match.index).split("\n").length });
    } else TOKEN.lastIndex = match.index + 1;
  }
  return found;
}

function isExpression(body: string, flags: string): boolean {
  try {
    new RegExp(body, flags);
    return true;
  } catch {
    return false;
  }
}
