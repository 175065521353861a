import { cutToken } from "./cut-token.ts";

const segmenters = new Map<string, Intl.Segmenter>();

/** The words of each run of a script that writes no blanks, by the dictionary of a language. */
export function dictionaryWords(runs: readonly string[], locale: string): string[][] {
  const wordsOfRuns: string[][] = [];
  let words: string[] = [];
  // One pass over all runs: a pass of its own costs each more than its characters do.
  for (const { segment, isWordLike } of segmenter(locale).segment(runs.join("\n"))) {
    if (isWordLike) words.push(cutToken(segment));
    if (segment !== "\n") continue;
    wordsOfRuns.push(words);
    words = [];
  }
  return [...wordsOfRuns, words];
}

function segmenter(locale: string): Intl.Segmenter {
  const known = segmenters.get(locale);
  if (known) return known;
  const made = new Intl.Segmenter(locale, { granularity: "word" });
  segmenters.set(locale, made);
  return made;
}
