import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CROSS, type Document, type EvalSet, type Question } from "../eval-set.ts";

const LANGUAGES = ["en", "ja", "zh", "ko"] as const;
const DATA = join(import.meta.dirname, "../data");

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
  /** Ids of memories; none: nobody stored what is asked for. */
  answers: z.array(z.string()),
  traps: z.array(z.string()).optional(),
});

/** What coding agents remember and ask, written by hand: `data/` holds a file of each for every language. */
export function agentsSet(): EvalSet {
  const documents: Document[] = [];
  const questions: Question[] = [];
  for (const lang of LANGUAGES) {
    for (const { id, ...fields } of read(`memories.${lang}`, memory)) documents.push({ key: id, ...defined(fields) });
    for (const { id, ask, kind, answers, traps } of read(`questions.${lang}`, question))
      questions.push({
        key: id,
        lang: kind === "cross-lingual" ? CROSS : lang,
        kind,
        text: ask,
        answers,
        ...(traps && { traps }),
      });
  }
  return { name: "agents", documents, questions };
}

const defined = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

function read<T>(name: string, schema: z.ZodType<T>): T[] {
  const lines = readFileSync(join(DATA, `${name}.ndjson`), "utf8").split("\n");
  return lines.filter(Boolean).map((line, at) => {
    const parsed = schema.safeParse(JSON.parse(line));
    if (!parsed.success) throw new Error(`${name}.ndjson:${at + 1}: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  });
}
