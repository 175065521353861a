import { z } from "zod";
import type { Document, EvalSet, Question } from "../eval-set.ts";
import { readJson } from "./read-json.ts";

const TURN = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  /** Description of a picture that the speaker shows. */
  blip_caption: z.string().optional(),
});
const FORM = z.array(
  z.object({
    sample_id: z.union([z.string(), z.int()]),
    conversation: z.record(z.string(), z.union([z.array(TURN), z.string()])),
    qa: z.array(z.object({ question: z.string(), evidence: z.array(z.string()), category: z.int() })),
  }),
);

const KINDS = ["", "several turns", "time", "open", "one turn", "adversarial"] as const;
/** Id of a turn by its place. Some questions name several turns in one string, or with an extra zero. */
const PLACE = /D(\d+):0*(\d+)/g;
const SESSION = /^session_(\d+)$/;

/**
 * Long conversations of two people, and questions whose evidence is some of the turns. Each conversation is a separate
 * store, each turn a memory, each session a session. The measure is the share of a question's evidence that is found,
 * as in the paper (Maharana et al. 2024).
 */
export function locomoSets(path: string): EvalSet[] {
  return readJson(path, FORM).map(({ sample_id, conversation, qa }) => {
    const name = `locomo.${sample_id}`;
    const sessions = Object.entries(conversation).flatMap(([key, turns]) => {
      const [, number] = SESSION.exec(key) ?? [];
      return number === undefined || typeof turns === "string" ? [] : [{ number: Number(number), turns }];
    });
    const documents = sessions
      .toSorted((a, b) => a.number - b.number)
      .flatMap(({ number, turns }) =>
        turns.map(
          ({ speaker, dia_id, text, blip_caption }): Document => ({
            key: `${name}/${dia_id}`,
            about: speaker,
            content: `${speaker}: ${text}${blip_caption ? ` [shows ${blip_caption}]` : ""}`,
            layer: "context",
            session: `${name}/${number}`,
          }),
        ),
      );
    const stored = new Set(documents.map(({ key }) => key));
    const questions = qa.flatMap(({ question, evidence, category }, at): Question[] => {
      const named = evidence.flatMap((text) => [...text.matchAll(PLACE)]);
      const answers = [...new Set(named.map(([, session, turn]) => `${name}/D${session}:${turn}`))];
      const found = answers.filter((key) => stored.has(key));
      const kind = KINDS[category] || `category ${category}`;
      return found.length === 0
        ? []
        : [{ key: `${name}?${at}`, lang: "en", kind, text: question, answers: found, wantsAll: true }];
    });
    return { name, documents, questions };
  });
}
