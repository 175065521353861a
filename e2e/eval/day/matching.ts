import type { Lesson, Words } from "./corpus.ts";

const normalised = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");

/** Tells whether a text has an alternative of every group of decisive words. */
export function tells(text: string, words: Words): boolean {
  const normal = normalised(text);
  return words.length > 0 && words.every((group) => group.some((word) => normal.includes(normalised(word))));
}

/** Splits a text into words, and into pairs of characters where a language uses no blanks. */
function terms(text: string): Set<string> {
  const normal = normalised(text);
  const found = new Set(normal.match(/[a-z0-9_./@-]{3,}/g) ?? []);
  for (const run of normal.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,}/g) ?? [])
    for (let at = 0; at + 2 <= run.length; at += 1) found.add(run.slice(at, at + 2));
  return found;
}

function share(of: ReadonlySet<string>, among: ReadonlySet<string>): number {
  if (of.size === 0) return 0;
  let common = 0;
  for (const term of of) if (among.has(term)) common += 1;
  return common / of.size;
}

/** Tells whether a row was made from a sentence: it contains most of the sentence's words, and little else. */
export function isOf(row: string, sentence: string): boolean {
  const [of, among] = [terms(sentence), terms(row)];
  if (of.size < 2) return bare(row) === bare(sentence);
  return (share(of, among) >= 0.75 && share(among, of) >= 0.35) || (among.size >= 4 && share(among, of) >= 0.85);
}

/** Tells whether a sentence occurs in a text, among other text. */
function standsIn(text: string, sentence: string): boolean {
  const of = terms(sentence);
  return of.size >= 2 && share(of, terms(text)) >= 0.8;
}

const bare = (text: string): string => normalised(text).replace(/[.。!?！？ ]+$/, "");

const sentencesOf = ({ sentence, also }: Lesson): string[] => [sentence, ...also.map((each) => each.sentence)];

/** Tells whether a row was made from a lesson's sentence. */
export const isRowOf = (row: string, lesson: Lesson): boolean => sentencesOf(lesson).some((each) => isOf(row, each));

/** Tells whether a text contains a lesson, by its decisive words or in the original wording. */
export const tellsLesson = (text: string, lesson: Lesson): boolean =>
  tells(text, lesson.words) || sentencesOf(lesson).some((each) => isOf(text, each) || standsIn(text, each));
