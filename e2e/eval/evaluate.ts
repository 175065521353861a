import { type AnsweredQuestion, askAll } from "./ask.ts";
import { CROSS, type EvalSet, PARTS, type Part, partOf, type Question } from "./eval-set.ts";
import { executorOver, isPlain, type Leg } from "./legs.ts";
import { type Measures, measure, reciprocal } from "./measures.ts";
import { plainExecutor } from "./plain-fts5.ts";
import { type Sureness, surenessOf } from "./reliability.ts";
import type { Run } from "./runs.ts";
import { compare, type Difference } from "./significance.ts";
import { type EvalStore, evalClock } from "./store.ts";

/** One line of the table. */
export interface Row {
  readonly set: string;
  readonly lang: string;
  /** `private` holds only the set's documents; `pooled` holds the documents of all sets and many others. */
  readonly store: string;
  readonly leg: Leg;
  /** Part of the questions; `all` for a set without tuning. */
  readonly part: Part | "all";
  readonly measures: Measures;
  readonly cpuMs: number;
  /** Difference in MRR from the run of the baseline. */
  readonly change?: Difference | undefined;
}

export interface Evaluation {
  readonly rows: readonly Row[];
  readonly asked: readonly AnsweredQuestion[];
  readonly abstention: Abstention | undefined;
  /** Confidence of all answers, including those to questions without an answer. */
  readonly sureness: readonly Sureness[];
  readonly leg: Leg;
  readonly places: Run["places"];
}

/** Behaviour of recall for questions that no document answers. */
export interface Abstention {
  readonly set: string;
  readonly store: string;
  readonly leg: Leg;
  readonly questions: number;
  /** Share of the questions without an answer that got none. */
  readonly nothing: number;
  /** Share of the answerable questions that got no answer either. */
  readonly wronglyNothing: number;
  /**
   * Probability that an answerable question gets a higher confidence than an unanswerable one; undefined without stated
   * confidences.
   */
  readonly separation: number | undefined;
}

export interface QuestionOptions {
  /** Token budget of an answer; without it, the first ten memories are returned. */
  readonly tokens?: number | undefined;
  /** Value of `CHEST_RECALL_MIN_COVERAGE`. */
  readonly minCoverage?: number | undefined;
}

/** Asks a set's questions with one leg, and counts the results. */
export async function evaluate(
  { name, questions, isUntuned = false }: EvalSet,
  where: string,
  store: EvalStore,
  leg: Leg,
  before: Run | undefined,
  { tokens, minCoverage }: QuestionOptions = {},
): Promise<Evaluation> {
  const { asked, cpuMs } = await askAll(
    isPlain(leg)
      ? plainExecutor(store, leg)
      : executorOver(await store.engineFor(leg), evalClock, store.vectors, leg, minCoverage),
    store,
    questions,
    leg,
    tokens,
  );
  const answerable = asked.filter(({ question }) => question.answers.length > 0);
  const key = [name, where, leg].join("|");
  const places = { [key]: Object.fromEntries(answerable.map(({ question, place }) => [question.key, place])) };
  const old = before?.places[key];
  const langs = [...new Set(answerable.map(({ question }) => question.lang))];
  const rowOf = (lang: string, part: Row["part"]): Row => {
    const isIn = (question: Question) => part === "all" || partOf(question) === part;
    const own = answerable.filter(({ question }) => isIn(question) && isOf(lang, question.lang));
    const both = own.filter(({ question }) => old?.[question.key] !== undefined);
    const change =
      both.length === 0
        ? undefined
        : compare(
            both.map(({ question }) => reciprocal({ place: old?.[question.key] ?? 0 })),
            both.map(reciprocal),
          );
    return { set: name, lang, store: where, leg, part, measures: measure(own), cpuMs, change };
  };
  const rows = (langs.length > 1 ? [...langs, "all"] : langs).flatMap((lang) =>
    (isUntuned ? (["all"] as const) : PARTS).map((part) => rowOf(lang, part)),
  );
  return {
    rows,
    asked: answerable,
    abstention: abstentionOf(name, where, leg, asked),
    sureness: surenessOf(asked),
    leg,
    places,
  };
}

/** `all` covers questions within each language; questions across languages are counted separately. */
const isOf = (lang: string, asked: string): boolean => (lang === "all" ? asked !== CROSS : asked === lang);

function abstentionOf(
  set: string,
  store: string,
  leg: Leg,
  asked: readonly AnsweredQuestion[],
): Abstention | undefined {
  const [real, idle] = [true, false].map((is) => asked.filter(({ question }) => question.answers.length > 0 === is));
  if (!real || !idle || idle.length === 0) return undefined;
  const nothing = (some: readonly AnsweredQuestion[]) =>
    some.filter(({ shown }) => shown.length === 0).length / some.length;
  return {
    set,
    store,
    leg,
    questions: idle.length,
    nothing: nothing(idle),
    wronglyNothing: nothing(real),
    separation: separation(real, idle),
  };
}

/** Area under the ROC curve: share of pairs in the right order, ties counted half. An empty answer has confidence 0. */
function separation(real: readonly AnsweredQuestion[], idle: readonly AnsweredQuestion[]): number | undefined {
  const sure = ({ confidence, shown }: AnsweredQuestion) => (shown.length === 0 ? 0 : confidence);
  const pairs = real.flatMap((one) => idle.map((other) => [sure(one), sure(other)] as const));
  if (pairs.some((pair) => pair.includes(undefined))) return undefined;
  const right = pairs.map(([a = 0, b = 0]) => (a > b ? 1 : a === b ? 0.5 : 0));
  return right.reduce<number>((sum, x) => sum + x, 0) / pairs.length;
}
