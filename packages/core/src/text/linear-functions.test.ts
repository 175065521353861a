import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { REPEATED_UNITS } from "@chest/testing/repeated-units";
import { expect, it } from "vitest";

const CORE = join(import.meta.dirname, "..");
const LENGTH = 20_000;
const SHORT = LENGTH / 8;
/** Longest that a text may hold up all others, by the fastest of some runs. */
const MOST_MS = 150;
/** Below this a text that takes the square of its length is of no weight yet. */
const WORTH_A_LOOK_MS = 15;
/** Eight times the text takes eight times as long, or sixty-four times. */
const MOST_LONGER = 32;
/** Number of runs of a slow function: the fastest run is the least disturbed by other threads. */
const RUNS = 8;

/** Functions that read something else than a text of a person or program, by name. */
const NO_TEXT: ReadonlySet<string> = new Set(["digestOf", "hashSecret"]);

interface Called {
  readonly where: string;
  readonly run: (text: string) => unknown;
}

it("every exported function over texts reads 20,000 characters of one repeated unit in a time in proportion", async () => {
  const found = (await Promise.all(sourcesBelow(CORE).map(textFunctionsIn))).flat();
  // Fewer would mean that the signatures are no longer found.
  expect(found.length).toBeGreaterThan(150);
  const slow = found.flatMap(({ where, run }) =>
    REPEATED_UNITS.flatMap((unit) => {
      const text = (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      const ms = workOf(run, text(LENGTH));
      if (ms < WORTH_A_LOOK_MS) return [];
      const leastOf = (length: number) => Math.min(...Array.from({ length: RUNS }, () => workOf(run, text(length))));
      const [short, least] = [leastOf(SHORT), leastOf(LENGTH)];
      const isSlow = least > MOST_MS || (least > WORTH_A_LOOK_MS && least / short > MOST_LONGER);
      return isSlow ? [`${where} ${JSON.stringify(unit)}: ${Math.round(short)} → ${Math.round(least)} ms`] : [];
    }),
  );
  expect(slow).toEqual([]);
}, 300_000);

/** Time of one run. The thread's processor time comes in steps of some milliseconds: of short runs the least is 0. */
function workOf(run: Called["run"], text: string): number {
  const before = performance.now();
  try {
    run(text);
  } catch {
    // A refusal is an answer, and has to be as quick.
  }
  return performance.now() - before;
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
