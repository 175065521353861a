import { z } from "zod";
import { CROSS, type Document, type EvalSet, type Question } from "../eval-set.ts";
import { LANGUAGES, read } from "./by-hand.ts";

const memory = z.strictObject({
  id: z.string(),
  about: z.string(),
  content: z.string(),
  layer: z.string().optional(),
  tags: z.array(z.string()).optional(),
  importance: z.number().optional(),
  age: z.int().optional(),
});

const question = z.strictObject({
  id: z.string(),
  kind: z.string(),
  ask: z.string(),
  /** Ids of memories; empty when no memory answers the question. */
  answers: z.array(z.string()),
  traps: z.array(z.string()).optional(),
});

/** Set written by hand after what coding agents remember and ask; `data/` contains a file for every language. */
export const agentsSet = (): EvalSet => readSet("agents", "");

/** A second such set, by two authors of other trades who did not know how search works. */
export const blindSet = (): EvalSet => readSet("blind", "blind/");

/** Facts that changed, each stated twice, with the older statement as the trap; written by a third author. */
export const updatesSet = (): EvalSet => readSet("updates", "updates/");

/**
 * Questions that share no word with their answer, in another language or in other words, and some without an answer.
 */
export const meaningSet = (): EvalSet => readSet("meaning", "meaning/");

/** Short facts that changed; some of the newer statements contain a word that says so. */
export const changesSet = (): EvalSet => readSet("changes", "changes/");

/** Passages about one subject each, stored as facts about it, in the two languages without blanks between words. */
export const passagesSet = (): EvalSet => readSet("passages", "passages/");

/** Pairs of memories with similar words and different meanings. */
export const twinsSet = (): EvalSet => readSet("twins", "twins/");

/** A shop for train and bus tickets, by an author who did not know how search works. */
export const trainsSet = (): EvalSet => readSet("trains", "trains/");

/** A data platform for weather stations and farms, by another author who did not know how search works. */
export const farmsSet = (): EvalSet => readSet("farms", "farms/");

/** A lending library, by an author who did not know how search works. No table or weight was ever tuned on it. */
export const booksSet = (): EvalSet => readSet("books", "books/");

/** A parcel courier, by another author who did not know how search works. */
export const parcelsSet = (): EvalSet => readSet("parcels", "parcels/");

function readSet(name: string, folder: string): EvalSet {
  const within = (id: string) => folder + id;
  const documents: Document[] = [];
  const questions: Question[] = [];
  for (const lang of LANGUAGES) {
    for (const { id, ...fields } of read(`${folder}memories.${lang}`, memory))
      documents.push({ key: within(id), ...defined(fields) });
    for (const { id, ask, kind, answers, traps } of read(`${folder}questions.${lang}`, question))
      questions.push({
        key: within(id),
        lang: kind === "cross-lingual" ? CROSS : lang,
        kind,
        text: ask,
        answers: answers.map(within),
        ...(traps && { traps: traps.map(within) }),
      });
  }
  return { name, documents, questions };
}

const defined = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
