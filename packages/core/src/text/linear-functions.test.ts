import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { REPEATED_UNITS } from "@chest/testing/repeated-units";
import { expect, it } from "vitest";
import { openWorkCounter } from "./testing/counted-work.ts";

const CORE = join(import.meta.dirname, "..");
const LENGTH = 20_000;
const SHORT = LENGTH / 8;
/** Eight times the text is eight times the work, or sixty-four times. */
const MOST_MORE = 20;
/** Work for each character below which the square of a text is of no weight. */
const WORTH_A_LOOK = 200;
/** Work for each character that is too much, however it grows. */
const MOST_A_CHARACTER = 5000;

/** Functions that read something else than a text of a person or program, by name. */
const NO_TEXT: ReadonlySet<string> = new Set(["digestOf", "hashSecret"]);

interface Called {
  readonly where: string;
  readonly run: (text: string) => unknown;
}

it("every exported function over texts reads 20,000 characters of one repeated unit with work in proportion", async () => {
  const found = (await Promise.all(sourcesBelow(CORE).map(textFunctionsIn))).flat();
  // Fewer would mean that the signatures are no longer found.
  expect(found.length).toBeGreaterThan(150);
  const counter = openWorkCounter("packages/core/src/");
  const slow = found.flatMap(({ where, run }) => {
    const workOf = (units: readonly string[], length: number) =>
      counter.workOf(() => {
        for (const unit of units) attempt(run, unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
      });
    const tooMuchOf = (units: readonly string[]): string | undefined => {
      const long = workOf(units, LENGTH);
      const eachCharacter = long / LENGTH / units.length;
      if (eachCharacter < WORTH_A_LOOK / units.length) return undefined;
      const short = workOf(units, SHORT);
      const isTooMuch = eachCharacter > MOST_A_CHARACTER || long / short > MOST_MORE;
      return isTooMuch ? `${where} ${JSON.stringify(units)}: ${short} → ${long}` : undefined;
    };
    // Work of one unit that grows by the square shows beside all others, too.
    if (tooMuchOf(REPEATED_UNITS) === undefined) return [];
    return REPEATED_UNITS.flatMap((unit) => tooMuchOf([unit]) ?? []);
  });
  counter.close();
  expect(slow).toEqual([]);
}, 300_000);

function attempt(run: Called["run"], text: string): void {
  try {
    run(text);
  } catch {
    // A refusal is an answer, and has to be as quick.
  }
}

const SIGNATURE = /^export (?:function (\w+)(?:<[^>(]*>)?\(|const (\w+) = \()([^)]*)\)/gm;

/** Exported functions of a module that take texts, and nothing else that has no default. */
async function textFunctionsIn(path: string): Promise<Called[]> {
  const signatures = [...readFileSync(path, "utf8").matchAll(SIGNATURE)].flatMap(
    ([, declared, arrow, parameters = ""]) => {
      const name = declared ?? arrow ?? "";
      const given = argumentsFor(parameters);
      return given && !NO_TEXT.has(name) ? [{ name, given }] : [];
    },
  );
  if (signatures.length === 0) return [];
  const module = (await import(path)) as Record<string, unknown>;
  return signatures.flatMap(({ name, given }) => {
    const called = module[name];
    if (typeof called !== "function") return [];
    return [{ where: `${relative(CORE, path)} ${name}`, run: (text: string) => called(...given(text)) }];
  });
}

/** Arguments to call a function with; undefined for one that wants more than texts. */
function argumentsFor(parameters: string): ((text: string) => unknown[]) | undefined {
  // A memory, or a part of one: its words, which do not begin with the unit.
  const [, field] = /^\{ (content|text)\b[^}]*\}: \w+$/.exec(parameters) ?? [];
  if (field !== undefined) return (text) => [{ [field]: `1 ${text}` }];
  const makers: ((text: string) => unknown)[] = [];
  for (const each of parameters.split(/,\s*/).filter(Boolean)) {
    if (/=|\?:/.test(each)) break;
    if (/^\w+: string$/.test(each)) makers.push((text) => text);
    else if (/^\w+: (?:readonly )?string\[\]$/.test(each)) makers.push((text) => [text]);
    else return undefined;
  }
  return makers.length === 0 ? undefined : (text) => makers.map((make) => make(text));
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:testing|make|generated)$/.test(entry.name) ? [] : sourcesBelow(path);
    return entry.name.endsWith(".ts") && !/\.test\.ts$|make-/.test(entry.name) ? [path] : [];
  });
}
