// Scripts without spaces between words.
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`;
const IS_UNSPACED = new RegExp(UNSPACED, "u");
const BLANK_WITHIN = new RegExp(`(?<=${UNSPACED}) +(?=${UNSPACED})`, "gu");
/** Punctuation beside such a script. */
const UNSPACED_MARK = new RegExp(`[、。「」『』]|(?<=${UNSPACED})[,;:!.]|[,;:!.](?=${UNSPACED})`, "gu");
const OPENING = new Set("\"'`([{¡¿");
const CLOSING = new Set("\"'`)]}.,;:!…");
/** A bullet before a line. */
const BULLET = /^[-*•] (?=\S)/;
/** Words after which punctuation changes the meaning: "No, deploy" and "No deploy" differ. */
const DENYING = /^(?:no|not|never|none|yes|ok|stop|don't|dont)$/;
/** Words whose case matters, such as names of code and abbreviations. */
const CASED = /[_$@/\\\d=<>#~+*|&%^]|[.:-]\p{L}|\p{Ll}\p{Lu}/u;
const ABBREVIATION = /^\p{Lu}{2,5}s?$/u;

/**
 * Whether two texts are the same statement in another spelling: case, spaces, punctuation, or `each` for `every`. Every
 * word, number and sign is the same, in the same order. A question is never the same as a statement.
 */
export function isOneStatement(a: string, b: string): boolean {
  if (a === b) return true;
  // A much longer text says more.
  if (2 * Math.min(a.length, b.length) + MOST_MARKS < Math.max(a.length, b.length)) return false;
  if (differInLetters(a, b)) return false;
  const [one, other] = [spelledOut(a), spelledOut(b)];
  return (
    one.length > 0 && one.length === other.length && one.every((word, at) => isOneWord(word, other[at] as Spelled))
  );
}

/** Normal spelling of a statement, without regard to the case of code. */
export const spellingOf = (text: string): string =>
  spelledOut(text)
    .map(({ word }) => word)
    .join("\n");

const MOST_MARKS = 32;

/**
 * Whether two texts cannot be one statement, since their letters and digits differ. Reads no further than the first difference:
 * a recall compares each of its rows with many others. False where only their spellings can tell: from the first characters
 * beyond ASCII that differ, and from an `a` in place of a `v`, as in `each` for `every`.
 */
function differInLetters(a: string, b: string): boolean {
  let [at, other] = [0, 0];
  for (;;) {
    while (isMark(a.charCodeAt(at))) at += 1;
    while (isMark(b.charCodeAt(other))) other += 1;
    // Beyond the end of a text there is no code.
    const [one, two] = [lowerOf(a.charCodeAt(at)), lowerOf(b.charCodeAt(other))];
    if (Number.isNaN(one) && Number.isNaN(two)) return false;
    if (one >= FIRST_BEYOND_ASCII || two >= FIRST_BEYOND_ASCII) {
      if (one !== two) return false;
    } else if (one !== two) {
      const areEachAndEvery = (one === A && two === V) || (one === V && two === A);
      return !areEachAndEvery;
    }
    at += 1;
    other += 1;
  }
}

const [A, V] = [0x61, 0x76];
const FIRST_BEYOND_ASCII = 0x80;
const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
const isMark = (code: number): boolean => code < FIRST_BEYOND_ASCII && !isLetterOrDigit(code);
const lowerOf = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code);

interface Spelled {
  readonly word: string;
  /** Spelling between backquotes: its case counts if both texts have backquotes. */
  readonly code?: string;
}

const isOneWord = (one: Spelled, other: Spelled): boolean =>
  one.word === other.word && (one.code === undefined || other.code === undefined || one.code === other.code);

const PART: Spelled = { word: "、" };

/** Words of a text in normal spelling. */
function spelledOut(text: string): Spelled[] {
  const plain = text.normalize("NFKC").replace(/[’‘]/g, "'").replace(/[“”]/g, '"').trim().replace(BULLET, "");
  const isShouted = !/\p{Ll}/u.test(plain);
  const joined = IS_UNSPACED.test(plain)
    ? plain.split(/\s+/u).join(" ").replace(BLANK_WITHIN, "").replace(UNSPACED_MARK, ` ${PART.word} `)
    : plain;
  const words = joined.split(/\s+/u).flatMap((chunk) => wordsOf(chunk, isShouted));
  const [first, last] = [words.findIndex(isNoPart), words.findLastIndex(isNoPart)];
  return words.slice(Math.max(0, first), last + 1).map((each, at, all) => (isEach(each, all[at + 1]) ? EVERY : each));
}

const isNoPart = ({ word }: Spelled): boolean => word !== PART.word;
const EVERY: Spelled = { word: "every" };
/** Whether a word is `each`, but not in "each other". */
const isEach = ({ word }: Spelled, next: Spelled | undefined): boolean => word === "each" && next?.word !== "other";

function wordsOf(chunk: string, isShouted: boolean): Spelled[] {
  let [from, to] = [0, chunk.length];
  while (from < to && OPENING.has(chunk[from] as string)) from += 1;
  const own = ownBrackets(chunk, from);
  while (to > from && CLOSING.has(chunk[to - 1] as string) && !own.has(chunk[to - 1] as string)) to -= 1;
  const word = chunk.slice(from, to);
  if (word === "") return /^[,;:!.]*$/.test(chunk) ? [] : [{ word: chunk }];
  const isCased = CASED.test(word) || (!isShouted && ABBREVIATION.test(word));
  const isCode = chunk.slice(0, from).includes("`") || chunk.slice(to).includes("`");
  const spelled = { word: isCased ? word : word.toLowerCase(), ...(isCode && { code: word }) };
  return DENYING.test(spelled.word) && /[,;:.!]/.test(chunk.slice(to)) ? [spelled, PART] : [spelled];
}

/** Closing brackets that belong to a word: in `f()` and `x[1]`. */
function ownBrackets(chunk: string, from: number): ReadonlySet<string> {
  const pairs = [..."()", ..."[]", ..."{}"];
  return new Set(pairs.filter((_, at) => at % 2 === 1 && chunk.indexOf(pairs[at - 1] as string, from) !== -1));
}
