import { type Caller, localCaller } from "@chest/core/access";
import type { Engine, StoreRows } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";

const MOST_QUESTIONS = 200;
const WORDS_ASKED = 5;
const HITS = 10;
const AT_ONCE = 4;
const PATIENCE_MS = 60_000;

/** Query made from a stored text, asked as its author in its project. */
export interface Question {
  readonly caller: Caller;
  readonly text: string;
}

/** Draws queries from texts all over a store. */
export function questionsOf(source: StoreRows): Question[] {
  const projects = new Map([...source.rows("projects", 0)].map(({ id, key }) => [id, String(key)]));
  const members = new Map([...source.rows("members", 0)].map(({ id, name }) => [id, String(name)]));
  const every = Math.max(1, Math.floor(source.count("memories") / MOST_QUESTIONS));
  const questions: Question[] = [];
  let nth = 0;
  for (const { content, author_id, project_id } of source.rows("memories", 0)) {
    nth += 1;
    if (nth % every !== 0 || questions.length === MOST_QUESTIONS) continue;
    const words = String(content).slice(0, 2000).split(/\s+/u).filter(Boolean);
    const from = Math.max(0, Math.floor((words.length - WORDS_ASKED) / 2));
    const member = { id: Number(author_id), name: members.get(author_id ?? null) ?? "" };
    const caller = { ...localCaller(projects.get(project_id ?? null)), member };
    questions.push({
      caller,
      text: words
        .slice(from, from + WORDS_ASKED)
        .join(" ")
        .slice(0, 200),
    });
  }
  return questions;
}

/** Finds the best word matches of each query, with their scores. */
export async function answersOf(engine: Engine, questions: readonly Question[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let from = 0; from < questions.length; from += AT_ONCE)
    answers.push(
      ...(await Promise.all(questions.slice(from, from + AT_ONCE).map((question) => answerOf(engine, question)))),
    );
  return answers;
}

async function answerOf(engine: Engine, { caller, text }: Question): Promise<string> {
  const store = engine.as({ caller, requestId: "move", signal: new AbortController().signal });
  const where = { reach: "everywhere", withArchived: true, withSuperseded: true } as const;
  const ask = () => store.search.matchWords(readQuery(text), where, HITS);
  let hits = await ask();
  // The word index may still be under construction.
  for (const until = Date.now() + PATIENCE_MS; !hits && Date.now() < until; hits = await ask())
    await new Promise((resolve) => setTimeout(resolve, 100));
  return (hits ?? []).map(({ id, score }) => `${id}:${score.toPrecision(9)}`).join(" ");
}
