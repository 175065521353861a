/**
 * Makes `weights.ts`: a logistic regression over the signs of a sentence and their pairs, by gradient descent
 * from zero, so equal input
 * gives equal bytes. It learns from the sentences in `examples.json`, which were written for it, and from files
 * `*.ndjson` of a folder, one sentence a line as `{"text","keep","talk","edited","places","weight"}`, none of which is kept here.
 *
 *     node packages/core/src/transcript/lessons/make-model.ts [FOLDER] [--threshold=0.7]
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Place } from "./places.ts";
import { signsOf, withPairs } from "./signs.ts";

interface Labelled {
  readonly text: string;
  readonly keep: boolean;
  readonly talk?: boolean;
  readonly edited?: boolean;
  readonly places?: readonly Place[];
  readonly weight?: number;
}

const STEPS = 300;
const RATE = 0.3;
// Penalty on weights: a feature that occurs in few sentences must not get a large weight.
const DECAY = 0.005;
/** Places of a sentence that was written by itself. */
const ALONE: readonly Place[] = ["in_few", "opens_line"];
// A pair in fewer sentences is chance.
const MIN_SENTENCES = 4;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { threshold: { type: "string", default: "0.7" } },
});
const [folder] = positionals;
const own: { keep: string[]; leave: string[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, "examples.json"), "utf8"),
);
const labelled: Labelled[] = [
  ...own.keep.map((text) => ({ text, keep: true, places: ALONE })),
  ...own.leave.map((text) => ({ text, keep: false, places: ALONE })),
  ...(folder === undefined ? [] : linesOf(folder)),
];

function linesOf(from: string): Labelled[] {
  const files = readdirSync(from).filter((name) => name.endsWith(".ndjson"));
  return files.sort().flatMap((name) => {
    const lines = readFileSync(join(from, name), "utf8").split("\n").filter(Boolean);
    return lines.map((line): Labelled => JSON.parse(line));
  });
}

const shown = labelled.map(({ text, talk, edited, places = [] }) => [
  ...withPairs([...signsOf(text), ...(talk ? (["talk"] as const) : []), ...(edited ? (["edited"] as const) : [])]),
  ...places,
]);
const counts = new Map<string, number>();
for (const name of shown.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
const names = [...counts]
  .filter(([name, times]) => !name.includes("+") || times >= MIN_SENTENCES)
  .map(([name]) => name)
  .sort();
const places = new Map(names.map((name, at) => [name, at]));
const rows = labelled.map(({ keep, weight = 1 }, nth) => ({
  signs: (shown[nth] ?? []).flatMap((name) => places.get(name) ?? []),
  keep: keep ? 1 : 0,
  weight,
}));
const sum = rows.reduce((all, { weight }) => all + weight, 0);

// The last one is the bias, which does not decay.
const weights = new Float64Array(names.length + 1);
const travelled = new Float64Array(names.length + 1);
for (let step = 0; step < STEPS; step += 1) {
  const slope = new Float64Array(names.length + 1);
  for (const { signs, keep, weight } of rows) {
    const all = [...signs, names.length];
    const score = all.reduce((to, at) => to + (weights[at] ?? 0), 0);
    const error = ((1 / (1 + Math.exp(-score)) - keep) * weight) / sum;
    for (const at of all) slope[at] = (slope[at] ?? 0) + error;
  }
  for (const [at, by] of slope.entries()) {
    const down = by + (at === names.length ? 0 : DECAY * (weights[at] ?? 0));
    travelled[at] = (travelled[at] ?? 0) + down * down;
    weights[at] = (weights[at] ?? 0) - (RATE * down) / Math.sqrt((travelled[at] ?? 0) + 1e-8);
  }
}

const weightOf = (at: number) => Number((weights[at] ?? 0).toFixed(2));
const kept = labelled.filter(({ keep }) => keep).length;
const lines = names.flatMap((name, at) => (weightOf(at) === 0 ? [] : [`  ["${name}", ${weightOf(at)}],`]));
writeFileSync(
  join(import.meta.dirname, "weights.ts"),
  `// Made by make-model.ts from ${labelled.length} sentences, ${kept} of them worth keeping: ${own.keep.length + own.leave.length} of examples.json, in four
// languages, and the others of coding agents' real sessions in public repositories. Do not edit.

export const BIAS = ${weightOf(names.length)};
/** Least score of a sentence that is kept. */
export const THRESHOLD = ${Number(values.threshold)};
/** Weights of signs, and of pairs of signs by both names. */
export const WEIGHTS: ReadonlyMap<string, number> = new Map([
${lines.join("\n")}
]);
`,
);
