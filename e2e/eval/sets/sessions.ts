import { z } from "zod";
import type { Document, EvalSet, Question } from "../eval-set.ts";
import { LANGUAGES, read } from "./by-hand.ts";

const session = z.strictObject({
  id: z.string(),
  about: z.string(),
  turns: z.array(z.string()).min(2),
  questions: z.array(z.strictObject({ kind: z.string(), ask: z.string(), answers: z.array(z.int()) })),
});

/** Set of conversations, in which most answers name their subject only in the turns before or after. */
export function sessionsSet(): EvalSet {
  const documents: Document[] = [];
  const questions: Question[] = [];
  for (const lang of LANGUAGES) {
    for (const { id, about, turns, questions: asked } of read(`sessions.${lang}`, session)) {
      for (const [at, content] of turns.entries())
        documents.push({ key: `${id}/${at}`, about, content, layer: "context", session: id });
      for (const [at, { kind, ask, answers }] of asked.entries())
        questions.push({ key: `${id}?${at}`, lang, kind, text: ask, answers: answers.map((turn) => `${id}/${turn}`) });
    }
  }
  return { name: "sessions", documents, questions };
}
