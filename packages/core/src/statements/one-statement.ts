// Scripts without blanks between their words.
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`;
const IS_UNSPACED = new RegExp(UNSPACED, "u");
const BLANK_WITHIN = new RegExp(`(?<=${UNSPACED}) +(?=${UNSPACED})`, "gu");
/** Marks that part or end sentences beside such a script. */
const UNSPACED_MARK = new RegExp(`[、。「」『』]|(?<=${UNSPACED})[,;:!.]|[,;:!.](?=${UNSPACED})`, "gu");
const OPENING = new Set("\"'`([{¡¿");
const CLOSING = new Set("\"'`)]}.,;:!…");
/** A bullet before a line. */
const BULLET = /^[-*•] (?=\S)/;
/** Behind these a mark decides what is denied: "No, deploy" and "No deploy" are two. */
const DENYING = /^(?:no|not|never|none|yes|ok|stop|don't|dont)$/;
/** Upper and lower case are two where they tell a name of a program's parts, or an abbreviation from a word. */
const CASED = /[_$@/\\\d=<>#~+*|&%^]|[.:-]\p{L}|\p{Ll}\p{Lu}/u;
const ABBREVIATION = /^\p{Lu}{2,5}s?$/u;

/**
 * Whether two texts are one statement, written otherwise: in other case, with other blanks, other marks around words or
 * at the end, or `each` for `every`. Every word, number and sign is the same, in the same order; what asks is no statement.
 */
export function isOneStatement(a: string, b: string): boolean {
  if (a === b) return true;
  // What is that much longer says more.
  if (2 * Math.min(a.length, b.length) + MOST_MARKS < Math.max(a.length, b.length)) return false;
  const [one, other] = [spelledOut(a), spelledOut(b)];
  return (
    one.length > 0 && one.length === other.length && one.every((word, at) => isOneWord(word, other[at] as Spelled))
  );
}

/** Spelling that a statement has in common with all that are written otherwise, without its code's own case. */
export const spellingOf = (text: string): string =>
  spelledOut(text)
    .map(({ word }) => word)
    .join("\n");

const MOST_MARKS = 32;

interface Spelled {
  readonly word: string;
  /** As it stands between backquotes: there the case counts, where both have them. */
  readonly code?: string;
}

const isOneWord = (one: Spelled, other: Spelled): boolean =>
  one.word === other.word && (one.code === undefined || other.code === undefined || one.code === other.code);

const PART: Spelled = { word: "、" };

/** The words of a text in one spelling. */
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
/** Leaves out "each other", where it is no quantity. */
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

/** Closing brackets that a word opens itself: `f()` and `x[1]` end with theirs. */
function ownBrackets(chunk: string, from: number): ReadonlySet<string> {
  const pairs = [..."()", ..."[]", ..."{}"];
  return new Set(pairs.filter((_, at) => at % 2 === 1 && chunk.indexOf(pairs[at - 1] as string, from) !== -1));
}
