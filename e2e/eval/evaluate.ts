import { type Asked, askAll } from "./ask.ts";
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
  /** `private`: the set's documents alone; `pooled`: all sets' and many others. */
  readonly store: string;
  readonly leg: Leg;
  /** Part of the questions; `all` of a set that nothing is tuned on. */
  readonly part: Part | "all";
  readonly measures: Measures;
  readonly cpuMs: number;
  /** In MRR, from the run that this one is held against. */
  readonly change?: Difference | undefined;
}

export interface Evaluated {
  readonly rows: readonly Row[];
  readonly asked: readonly Asked[];
  readonly abstention: Abstention | undefined;
  /** Confidence of all answers, also to questions about nothing. */
  readonly sureness: readonly Sureness[];
  readonly leg: Leg;
  readonly places: Run["places"];
}

/** How recall takes questions that no document answers. */
export interface Abstention {
  readonly set: string;
  readonly store: string;
  readonly leg: Leg;
  readonly questions: number;
  /** Share of them answered with nothing. */
  readonly nothing: number;
  /** Share of the answerable ones answered with nothing: the price. */
  readonly wronglyNothing: number;
  /** How often a question with an answer gets a higher confidence than one without; undefined where none is stated. */
  readonly separation: number | undefined;
}

export interface Asking {
  /** Token budget of an answer; the first ten memories by default. */
  readonly tokens?: number | undefined;
  /** As `CHEST_RECALL_MIN_COVERAGE`. */
  readonly minCoverage?: number | undefined;
}

/** Asks a set's questions of a store with one leg, and counts. */
export async function evaluate(
  { name, questions, isUntuned = false }: EvalSet,
  where: string,
  store: EvalStore,
  leg: Leg,
  before: Run | undefined,
  { tokens, minCoverage }: Asking = {},
): Promise<Evaluated> {
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

/** `all` is every language by itself; asking in one about what stands in another is counted apart. */
const isOf = (lang: string, asked: string): boolean => (lang === "all" ? asked !== CROSS : asked === lang);

function abstentionOf(set: string, store: string, leg: Leg, asked: readonly Asked[]): Abstention | undefined {
  const [real, idle] = [true, false].map((is) => asked.filter(({ question }) => question.answers.length > 0 === is));
  if (!real || !idle || idle.length === 0) return undefined;
  const nothing = (some: readonly Asked[]) => some.filter(({ shown }) => shown.length === 0).length / some.length;
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

/** The area under the curve: pairs in the right order, ties counted half. An empty answer is sure of nothing. */
function separation(real: readonly Asked[], idle: readonly Asked[]): number | undefined {
  const sure = ({ confidence, shown }: Asked) => (shown.length === 0 ? 0 : confidence);
  const pairs = real.flatMap((one) => idle.map((other) => [sure(one), sure(other)] as const));
  if (pairs.some((pair) => pair.includes(undefined))) return undefined;
  const right = pairs.map(([a = 0, b = 0]) => (a > b ? 1 : a === b ? 0.5 : 0));
  return right.reduce<number>((sum, x) => sum + x, 0) / pairs.length;
}
