import { STOP_WORDS } from "../text/stop-words.ts";

/** Runs of words of a failure's lines, by which a memory that says one of them is known. */
export interface Phrases {
  /** Each run of three or four words of the lines, with its number of words that tell something. */
  readonly runs: ReadonlyMap<string, number>;
  /** Names by the words before them. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>;
  /** The lines as they stand, for languages without blanks. */
  readonly text: string;
}

const RUN = 4;
/** A phrase in quotes may be shorter: its author means these very words. */
const LEAST_QUOTED = 3;
const LEAST_TELLING = 2;
const LEAST_CHARACTERS = 4;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_]*/gu;
/** A duration differs from one run to the next. */
const DURATION = /^\d+(?:ms|s|m)$/;
const QUOTED = /[`"“「『]([^`"“”「」『』\n]{4,160})[`"”」』]|(?<!\w)'([^'\n]{8,160})'(?!\w)/g;
const WITHOUT_BLANKS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** Words of messages that many different failures have. */
const GENERAL = new Set(
  "connection connect refused denied permission access timed timeout exist exists such invalid unexpected missing required".split(
    " ",
  ),
);

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(WORD) ?? []).map((word) => (DURATION.test(word) ? "#" : word));

/** @param saysNothing whether a word stands in messages of any kind */
export function phrasesIn(lines: readonly string[], saysNothing: (word: string) => boolean): Phrases {
  const tells = (word: string) =>
    word.length > 2 && !/^\d/.test(word) && !saysNothing(word) && !STOP_WORDS.has(word) && !GENERAL.has(word);
  const runs = new Map<string, number>();
  for (const words of lines.map(wordsOf)) {
    for (let at = 0; at + LEAST_QUOTED <= words.length; at += 1) {
      for (const length of [LEAST_QUOTED, RUN]) {
        const run = words.slice(at, at + length);
        if (run.length === length) runs.set(run.join(" "), run.filter(tells).length);
      }
    }
  }
  const text = lines.join("\n");
  return { runs, named: namedIn(text), text };
}

/** A name in quotes after two words, or one spelt like no word after three. */
const NAMED: readonly RegExp[] = [
  /(?<!\p{L})(\p{L}{1,30}[ (]{1,3}\p{L}{1,30}):? {1,3}["'`]([^\s"'`]{1,80})["'`]/gu,
  /(?<!\p{L})(\p{L}{5,30} {1,3}\p{L}{1,30} {1,3}\p{L}{1,30}) {1,3}([A-Z][a-z]+[A-Z]\w+|[a-z]+[A-Z]\w+|\w+_\w+)(?![\w.])/gu,
];

function namedIn(text: string): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  for (const [, before = "", name = ""] of NAMED.flatMap((form) => [...text.matchAll(form)])) {
    const words = wordsOf(before).join(" ");
    named.set(words, (named.get(words) ?? new Set()).add(name));
  }
  return named;
}

/** Whether a text tells of the same message with another name in it, such as another missing script. */
export function namesAnother(content: string, { named }: Phrases): boolean {
  const both = [...namedIn(content)].flatMap(([words, names]) => {
    const ofLines = named.get(words);
    return ofLines ? [[...names].some((name) => ofLines.has(name))] : [];
  });
  return both.length > 0 && !both.includes(true);
}

/**
 * Number of telling words of the longest phrase that a text shares with the lines: a run of words, or a shorter one that it has
 * in quotes. 0 if there is none that tells enough.
 */
export function sharedPhrase(content: string, { runs, text }: Phrases): number {
  const words = wordsOf(content);
  let best = 0;
  for (let at = 0; at + RUN <= words.length; at += 1)
    best = Math.max(best, runs.get(words.slice(at, at + RUN).join(" ")) ?? 0);
  for (const [, inQuotes, inApostrophes] of content.matchAll(QUOTED)) {
    const quoted = (inQuotes ?? inApostrophes ?? "").trim();
    if (WITHOUT_BLANKS.test(quoted)) {
      if (quoted.length >= LEAST_CHARACTERS && text.includes(quoted)) best = Math.max(best, LEAST_TELLING);
      continue;
    }
    const phrase = wordsOf(quoted);
    if (phrase.length === LEAST_QUOTED) best = Math.max(best, runs.get(phrase.join(" ")) ?? 0);
  }
  return best >= LEAST_TELLING ? best : 0;
}
