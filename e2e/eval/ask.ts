import { setTimeout as sleep } from "node:timers/promises";
import type { Executor } from "@chest/core/executor";
import type { Document, Question } from "./eval-set.ts";
import { isByWords, type Leg } from "./legs.ts";
import { DEPTH, type Outcome } from "./measures.ts";
import { CALL, type EvalStore } from "./store.ts";

/** Row of an answer, with what a reader needs to judge its rank. */
export interface RankedDocument {
  readonly document: Document;
  readonly composite: number;
  readonly relevance: number;
}

/** Answer to one question. */
export interface AnsweredQuestion extends Outcome {
  readonly question: Question;
  readonly shown: readonly RankedDocument[];
  /** Confidence that the answer states, from 0 to 1; undefined where it states none. */
  readonly confidence: number | undefined;
}

export interface AnsweredSet {
  readonly asked: readonly AnsweredQuestion[];
  /** Processor time of this process for each question, including search threads, in ms. */
  readonly cpuMs: number;
}

/** Asks questions one after another through `chest_recall`. */
export async function askAll(
  executor: Executor,
  store: EvalStore,
  questions: readonly Question[],
  leg: Leg,
  tokens: number | undefined,
): Promise<AnsweredSet> {
  const recall = (question: Question) => recallWith(executor, question, tokens);
  const ask = async (question: Question) => {
    const answer = await recall(question);
    if (isWithout(answer, leg)) throw new Error(`\`${question.key}\` was answered without a leg that is measured`);
    return answer;
  };
  const [first, ...others] = questions.slice(0, WARM_UP);
  if (first) await untilWhole(() => recall(first), leg);
  // The first question is not measured, because it compiles code and reads the store.
  for (const question of others) await ask(question);
  const asked: AnsweredQuestion[] = [];
  const before = process.cpuUsage();
  for (const question of questions) asked.push(outcomeOf(question, await ask(question), store.documents));
  const { user, system } = process.cpuUsage(before);
  return { asked, cpuMs: (user + system) / 1000 / Math.max(1, questions.length) };
}

const WARM_UP = 20;
const PATIENCE_MS = 60_000;

/** Repeats a question until index and model are loaded; until then an answer says which of them it did without. */
async function untilWhole(ask: () => Promise<Answer>, leg: Leg): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (isWithout(await ask(), leg)) {
    if (performance.now() > deadline) throw new Error(`after a minute a leg of \`${leg}\` still does not answer`);
    await sleep(100);
  }
}

const isWithout = ({ degraded = [] }: Answer, leg: Leg): boolean =>
  degraded.some((missing) => !isByWords(leg) || missing.leg === "words");

interface Answer {
  readonly confidence?: number;
  readonly degraded?: readonly { readonly leg: string }[];
  readonly memories: readonly {
    readonly id: number;
    readonly composite: number;
    readonly score_breakdown: { readonly relevance: number };
  }[];
}

// Without a token budget, snippets make ten rows fit; with one, rows are whole, as in an agent's answer. A question
// must not change the heat of rows for the next one.
const recallWith = (executor: Executor, { text }: Question, tokens: number | undefined) =>
  executor.execute(
    "chest_recall",
    {
      query: text,
      mark_accessed: false,
      journal: true,
      ...(tokens === undefined ? { limit: DEPTH, max_tokens: 6000, snippet_mode: true } : { max_tokens: tokens }),
    },
    CALL,
  ) as unknown as Promise<Answer>;

function outcomeOf(question: Question, answer: Answer, documents: ReadonlyMap<number, Document>): AnsweredQuestion {
  const shown = answer.memories.map(({ id, composite, score_breakdown }) => ({
    document: documents.get(id) as Document,
    composite,
    relevance: score_breakdown.relevance,
  }));
  const placeOf = (keys: readonly string[]) => 1 + shown.findIndex(({ document }) => keys.includes(document.key));
  const place = placeOf(question.answers);
  const places = question.wantsAll ? question.answers.map((key) => placeOf([key])) : undefined;
  const trap = placeOf(question.traps ?? []);
  return {
    question,
    shown,
    place,
    places,
    isTrapped: question.traps && trap > 0 && (place === 0 || trap < place),
    confidence: answer.confidence,
  };
}
