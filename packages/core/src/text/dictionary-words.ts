import { cutToken } from "./cut-token.ts";

const segmenters = new Map<string, Intl.Segmenter>();

/** Words of runs without spaces, from the dictionary of a language. */
export function dictionaryWords(runs: readonly string[], locale: string): string[][] {
  const wordsOfRuns: string[][] = [];
  let words: string[] = [];
  // One pass over all runs, because starting a pass costs more than the characters of a run.
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
