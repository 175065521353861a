import { z } from "zod";
import type { Document, EvalSet, Question } from "../eval-set.ts";
import { readJson } from "./read-json.ts";

const FORM = z.object({
  data: z.array(
    z.object({
      title: z.string(),
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(z.object({ id: z.string(), question: z.string(), is_impossible: z.boolean().optional() })),
        }),
      ),
    }),
  ),
});

/** Separator between title and text of a paragraph in JSQuAD. */
const MARK = " [SEP] ";

/**
 * Questions about paragraphs, in the format of SQuAD. A paragraph is a memory about its article, and the answer to its
 * questions.
 */
export function squadSets(name: string, lang: string, path: string): EvalSet[] {
  const documents: Document[] = [];
  const questions: Question[] = [];
  for (const { title, paragraphs } of readJson(path, FORM).data)
    for (const { context, qas } of paragraphs) {
      const key = `${name}/${documents.length}`;
      documents.push({ key, about: title, content: context.replace(MARK, "\n") });
      for (const { id, question, is_impossible } of qas)
        questions.push({ key: id, lang, kind: name, text: question, answers: is_impossible ? [] : [key] });
    }
  return [{ name, documents, questions }];
}
