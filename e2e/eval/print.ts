import type { AnsweredQuestion } from "./ask.ts";
import { partOf } from "./eval-set.ts";
import type { Abstention, Row } from "./evaluate.ts";
import { mean, reciprocal } from "./measures.ts";
import type { Pair } from "./pairs.ts";
import { type Bin, calibrationError } from "./reliability.ts";

const figure = (x: number): string => x.toFixed(3);
const share = (x: number): string => `${Math.round(100 * x)} %`;

/** Formats the rows as Markdown. */
export function table(rows: readonly Row[]): string {
  const isCompared = rows.some(({ change }) => change);
  return markdown(
    [
      "set",
      "language",
      "store",
      "leg",
      "part",
      "questions",
      "R@1",
      "R@5",
      "R@10",
      "MRR",
      "nDCG@10",
      "trapped",
      "CPU ms",
      ...(isCompared ? ["MRR change (95 %)", "p"] : []),
    ],
    rows.map(({ set, lang, store, leg, part, measures: m, cpuMs, change }) => [
      set,
      lang,
      store,
      leg,
      part,
      String(m.questions),
      ...[m.recall1, m.recall5, m.recall10, m.mrr, m.ndcg10].map(figure),
      m.trapped === undefined ? "" : share(m.trapped),
      cpuMs.toFixed(1),
      ...(isCompared ? changeOf(change) : []),
    ]),
  );
}

function changeOf(change: Row["change"]): string[] {
  if (!change) return ["", ""];
  const signed = (x: number) => `${x < 0 ? "−" : "+"}${figure(Math.abs(x))}`;
  return [`${signed(change.mean)} (${signed(change.from)} … ${signed(change.to)})`, change.p.toFixed(4)];
}

/** Formats the comparisons of legs, with their significance. */
export const comparisons = (all: readonly Pair[]): string =>
  markdown(
    ["set", "store", "leg", "against", "part", "questions", "MRR change (95 %)", "p"],
    all.map(({ set, store, leg, against, part, change }) => [
      set,
      store,
      leg,
      against,
      part,
      String(change.questions),
      ...changeOf(change),
    ]),
  );

/** Formats the results of each kind of question over both parts, worst first. */
export function kinds(asked: readonly AnsweredQuestion[]): string {
  const rows = [...Map.groupBy(asked, ({ question }) => question.kind)]
    .map(([kind, some]) => ({ kind, some, mrr: mean(some.map(reciprocal)) }))
    .sort((a, b) => a.mrr - b.mrr)
    .map(({ kind, some, mrr }) => [
      kind,
      String(some.length),
      figure(mean(some.map(({ place }) => Number(place === 1)))),
      figure(mean(some.map(({ place }) => Number(place > 0)))),
      figure(mrr),
    ]);
  return markdown(["kind", "questions", "R@1", "R@10", "MRR"], rows);
}

export const abstentions = (all: readonly Abstention[]): string =>
  markdown(
    ["set", "store", "leg", "questions about nothing", "answered with nothing", "…of the others", "separation"],
    all.map(({ set, store, leg, questions, nothing, wronglyNothing, separation }) => [
      set,
      store,
      leg,
      String(questions),
      share(nothing),
      share(wronglyNothing),
      separation === undefined ? "no confidence stated" : figure(separation),
    ]),
  );

/** Formats the stated confidence of one leg beside the share of right answers, drawn as bars. */
export const reliability = (leg: string, bins: readonly Bin[]): string =>
  [
    `Confidence of answers, ${leg}: expected calibration error ${figure(calibrationError(bins))}`,
    markdown(
      ["confidence", "answers", "stated", "right", ""],
      bins.map(({ from, answers, stated, seen }) => [
        `${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`,
        String(answers),
        figure(stated),
        figure(seen),
        "█".repeat(Math.round(20 * seen)),
      ]),
    ),
  ].join("\n\n");

const HEAD = 110;
const head = (text: string) => text.replace(/\s+/g, " ").slice(0, HEAD);
const SHOWN = 3;

/** Lists the tuning questions without a right first answer, with the ids, titles and scores of the results. */
export function failures(asked: readonly AnsweredQuestion[], contentOf: (key: string) => string): string {
  return asked
    .filter(({ question, place }) => place !== 1 && partOf(question) === "tune")
    .sort((a, b) => a.question.lang.localeCompare(b.question.lang) || a.question.kind.localeCompare(b.question.kind))
    .map(({ question: { key, lang, kind, text, answers, traps }, place, shown }) =>
      [
        `${place === 0 ? "MISSED" : `AT ${place}`}  ${lang}  ${kind}  ${key}: ${head(text)}`,
        ...answers.map((answer) => `    wanted  ${answer}: ${head(contentOf(answer))}`),
        ...shown.slice(0, Math.max(SHOWN, place)).map(({ document, composite, relevance }, at) => {
          const mark = answers.includes(document.key) ? "✓" : traps?.includes(document.key) ? "trap" : "";
          const scores = `${composite.toFixed(3)} (relevance ${relevance.toFixed(3)})`;
          return `    ${at + 1}  ${scores}  ${mark}  ${document.key}: ${head(document.content)}`;
        }),
      ].join("\n"),
    )
    .join("\n");
}

function markdown(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((text, at) => Math.max(3, text.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
