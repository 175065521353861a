import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { EvalSet } from "../eval-set.ts";

/** Cleverdon's degrees of relevance that count, from a complete answer to minimum interest. */
const RELEVANT = new Set(["1", "2", "3", "4"]);

/** Abstracts on aerodynamics, and questions with several relevant abstracts each. */
export function cranfieldSets(abstracts: string, asked: string, judgements: string): EvalSet[] {
  const keyOf = (number: string) => `cranfield/${number}`;
  const documents = recordsIn(abstracts).flatMap(({ number, fields }) => {
    const text = fields.get("W") ?? "";
    return text === "" ? [] : [{ key: keyOf(number), about: fields.get("T") || "aerodynamics", content: text }];
  });
  const stored = new Set(documents.map(({ key }) => key));
  const relevant = judgedIn(judgements, stored, keyOf);
  // The judgements number the questions consecutively from 1, whatever their own numbers are.
  const questions = recordsIn(asked).flatMap(({ fields }, at) => {
    const answers = relevant.get(at + 1) ?? [];
    const question = { key: `cranfield?${at + 1}`, lang: "en", kind: "cranfield", text: fields.get("W") ?? "" };
    return answers.length === 0 ? [] : [{ ...question, answers, wantsAll: true }];
  });
  return [{ name: "cranfield", documents, questions }];
}

/** Reads the relevant documents of each question. */
function judgedIn(path: string, stored: ReadonlySet<string>, keyOf: (number: string) => string) {
  const relevant = new Map<number, string[]>();
  for (const [at, line] of readFileSync(path, "utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    const [question, document, degree] = line.trim().split(/\s+/);
    if (document === undefined || degree === undefined || !/^\d+$/.test(question ?? ""))
      throw new Error(`${basename(path)}, line ${at + 1}, is no judgement: \`question document degree\` is`);
    const key = keyOf(document);
    if (!RELEVANT.has(degree) || !stored.has(key)) continue;
    const answers = relevant.get(Number(question)) ?? [];
    if (!answers.includes(key)) answers.push(key);
    relevant.set(Number(question), answers);
  }
  return relevant;
}

interface CranfieldRecord {
  readonly number: string;
  /** Texts of a record by the letter of their mark. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Splits a file in the collection's own format: `.I` and a number, then a line with a mark before each text. */
function recordsIn(path: string): CranfieldRecord[] {
  const records = readFileSync(path, "utf8")
    .split(/^\.I +/m)
    .slice(1);
  if (records.length === 0) throw new Error(`${basename(path)} has no record: each begins with \`.I\` and a number`);
  return records.map((record) => {
    const [number = "", ...parts] = record.split(/^\.([A-Z])[^\S\n]*$/m);
    const fields = new Map<string, string>();
    for (let at = 0; at + 1 < parts.length; at += 2)
      fields.set(parts[at] as string, (parts[at + 1] as string).trim().replace(/\s+/g, " "));
    return { number: number.trim(), fields };
  });
}
