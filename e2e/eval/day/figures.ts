import type { PlayedRepository, ShownLines } from "./play.ts";

/** Number of hits among the number counted. */
export interface Share {
  readonly of: number;
  readonly all: number;
}

/** All figures that the evaluation prints. */
export interface Figures {
  readonly rows: number;
  readonly noted: number;
  /** Memories that contain a lesson or a repair. */
  readonly worth: Share;
  /** Memories that contain a lesson or a repair, among those that match any label. */
  readonly precision: Share;
  readonly lessonsKept: Share;
  /** Lessons kept, including those that an agent saves when asked: all lessons of its session up to then. */
  readonly lessonsWithAsked: Share;
  readonly lessonsFirst: Share;
  readonly lessonsInThree: Share;
  /** Memories of pasted sentences, or of sentences meant for one occasion. */
  readonly wrongRules: readonly string[];
  readonly steps: Share;
  readonly failuresAgain: Share;
  readonly failuresLater: Share;
  readonly promptsHelped: Share;
  readonly start: UnaskedFigures;
  readonly prompt: UnaskedFigures;
  readonly recall: {
    readonly answered: Share;
    readonly first: Share;
    readonly medianRows: number;
    readonly medianTokens: number;
    readonly right: number;
  };
  readonly neverAnswered: Share;
  readonly hooksMedianMs: number;
  readonly odd: number;
  readonly late: number;
}

export interface UnaskedFigures {
  readonly times: number;
  readonly medianTokens: number;
  readonly tokens: Share;
  readonly lines: Share;
}

/** Labels of sentences that must never become a rule, as either corpus names them. */
const FOR_ONCE = /^(?:pasted text|one-off order|bound to a time or a task|request)$/;

export function figuresOf(played: readonly PlayedRepository[]): Figures {
  const all = <T>(of: (each: PlayedRepository) => readonly T[]): readonly T[] => played.flatMap(of);
  const rows = all((each) => each.rows);
  const lessons = all((each) => each.lessons);
  const recalls = all((each) => each.recalls);
  const isWorth = (row: (typeof rows)[number]) => row.lessons.length > 0 || row.isRepair;
  const labelled = rows.filter((row) => isWorth(row) || row.noise.length > 0);
  const wrong = rows.filter((row) => row.lessons.length === 0 && row.noise.some((kind) => FOR_ONCE.test(kind)));
  const shown = (event: string) => unasked(all((each) => each.shown).filter((each) => each.event === event));
  return {
    rows: rows.length,
    noted: played.reduce((sum, { noted }) => sum + noted, 0),
    worth: share(rows, isWorth),
    precision: share(labelled, isWorth),
    lessonsKept: share(lessons, ({ isKept }) => isKept),
    lessonsWithAsked: share(lessons, ({ isKept, isAskedFor }) => isKept || isAskedFor),
    lessonsFirst: share(lessons, ({ isFirst }) => isFirst),
    lessonsInThree: share(lessons, ({ isInThree }) => isInThree),
    wrongRules: wrong.map(({ content, noise }) => `[${noise.join(", ")}] ${content}`),
    steps: share(
      all(({ steps }) => steps.flatMap(({ items }) => items)),
      Boolean,
    ),
    failuresAgain: share(
      all(({ again }) => again),
      ({ isHelped }) => isHelped,
    ),
    failuresLater: share(
      all(({ later }) => later),
      ({ isHelped }) => isHelped,
    ),
    promptsHelped: share(
      all(({ prompts }) => prompts),
      ({ isHelped }) => isHelped,
    ),
    start: shown("SessionStart"),
    prompt: shown("UserPromptSubmit"),
    recall: {
      answered: share(recalls, ({ isAnswered }) => isAnswered),
      // A lesson that was not kept cannot be ranked first, so only kept ones count.
      first: share(
        recalls.filter(({ isAnswered }) => isAnswered),
        ({ isFirst }) => isFirst,
      ),
      medianRows: median(recalls.map((each) => each.rows)),
      medianTokens: median(recalls.map((each) => each.tokens)),
      right: mean(recalls.filter(({ isAnswered }) => isAnswered).map((each) => each.right)),
    },
    neverAnswered: share(
      all(({ never }) => never),
      (each) => each.rows > 0,
    ),
    hooksMedianMs: Math.round(median(all(({ hooksMs }) => hooksMs))),
    odd: all(({ odd }) => odd).length,
    late: played.reduce((sum, { late }) => sum + late, 0),
  };
}

function unasked(shown: readonly ShownLines[]): UnaskedFigures {
  const sum = (of: (each: ShownLines) => number) => shown.reduce((total, each) => total + of(each), 0);
  return {
    times: shown.length,
    medianTokens: median(shown.map(({ tokens }) => tokens)),
    tokens: { of: sum(({ usefulTokens }) => usefulTokens), all: sum(({ tokens }) => tokens) },
    lines: { of: sum(({ usefulLines }) => usefulLines), all: sum(({ lines }) => lines) },
  };
}

function share<T>(all: readonly T[], is: (each: T) => boolean): Share {
  return { of: all.filter(is).length, all: all.length };
}

/** Value of a share; 1 without any case, so that no floor fails. */
export const shareOf = ({ of, all }: Share): number => (all === 0 ? 1 : of / all);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Formats the figures as a Markdown table. */
export function printFigures(figures: Figures): string {
  const { start, prompt, recall } = figures;
  const shownRows = (name: string, { times, medianTokens, tokens, lines }: UnaskedFigures): [string, string][] => [
    [`shown at ${name}: times, tokens in the median`, `${times}, ${medianTokens}`],
    [`shown at ${name}: tokens of lines that help`, printed(tokens)],
    [`shown at ${name}: listed lines that help`, printed(lines)],
  ];
  const table: [string, string][] = [
    ["memories that came about by themselves; rows of the journal", `${figures.rows}; ${figures.noted}`],
    ["of the memories, worth keeping", printed(figures.worth)],
    ["…of those that match any label", printed(figures.precision)],
    ["lessons kept as a row of their own", printed(figures.lessonsKept)],
    ["…and those said before an agent was asked to save", printed(figures.lessonsWithAsked)],
    ["lessons found by a paraphrase: first", printed(figures.lessonsFirst)],
    ["lessons found by a paraphrase: in three", printed(figures.lessonsInThree)],
    ["memories of pasted text or of orders for once", String(figures.wrongRules.length)],
    ["next steps handed on", printed(figures.steps)],
    ["failures helped: the same again", printed(figures.failuresAgain)],
    ["failures helped: varied later", printed(figures.failuresLater)],
    ["prompts that had been shown what they need", printed(figures.promptsHelped)],
    ...shownRows("a start", start),
    ...shownRows("a prompt", prompt),
    ["default recall: answered", printed(recall.answered)],
    ["default recall: the answer first, where answered", printed(recall.first)],
    ["default recall: rows, tokens in the median", `${recall.medianRows}, ${recall.medianTokens}`],
    ["default recall: share of right text, where answered", recall.right.toFixed(2)],
    ["questions about nothing that were answered", printed(figures.neverAnswered)],
    [
      "hooks: milliseconds in the median; odd ends; too late",
      `${figures.hooksMedianMs}; ${figures.odd}; ${figures.late}`,
    ],
  ];
  return ["| Figure | |", "| --- | --- |", ...table.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}

const printed = (share: Share): string => `${share.of} of ${share.all} (${(shareOf(share) * 100).toFixed(0)} %)`;
