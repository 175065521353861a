const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;
const UNSPACED = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+$/u;
const CHARACTER = /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul})$/u;
const SEMITIC = /^[\p{Script=Arabic}\p{Script=Hebrew}]+$/u;
const INFLECTED = /^[\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+$/u;
const LATIN = /^[\p{Script=Latin}\p{M}]+$/u;
/** The articles of Arabic and Hebrew, with prefixes. */
const ARTICLE = /^(?:[وفبك]?ال|لل|[ושכ]?ה)(?=.{3})/u;

const LEAST_WORD = 5;
/** A part in the midst of a compound is longer than one at its ends. */
const LEAST_INSIDE = 8;
/** A compound is at most this many times as long as its part. */
const MOST_TIMES = 4;
const LEAST_SEMITIC = 3;
const MOST_AROUND = 3;
const LEAST_UNSPACED = 3;
const LEAST_STEM = 4;
const MOST_ENDING = 3;

const bare = (word: string): string => word.replace(ARTICLE, "");
const unmarked = (word: string): string => word.normalize("NFD").replace(/\p{M}/gu, "");

/**
 * Substrings, folded, that find rows with related words; none for short words, identifiers, or words that grams already
 * find. `isAkin` then decides on the words of those rows.
 */
export function partsOfAkin(word: string): readonly string[] {
  if (!LETTERS.test(word) && !UNSPACED.test(word)) return [];
  if (CHARACTER.test(word)) return [word];
  if (UNSPACED.test(word)) return word.length < LEAST_UNSPACED ? [] : [word, word.slice(0, LEAST_UNSPACED)];
  if (SEMITIC.test(word)) {
    const stem = bare(word);
    if (stem.length < LEAST_SEMITIC) return [];
    return stem.length > LEAST_STEM ? [stem, stem.slice(0, LEAST_STEM)] : [stem];
  }
  if (word.length < LEAST_WORD) return [];
  if (INFLECTED.test(word)) {
    const stem = /^\P{M}*/u.exec(word.normalize("NFD"))?.[0].slice(0, -1) ?? "";
    const part = unmarked(word) === word ? word.slice(0, LEAST_STEM) : stem.slice(0, LEAST_STEM);
    return part.length < LEAST_STEM - 1 ? [word] : [part];
  }
  return LATIN.test(word) ? [word, word.slice(0, LEAST_WORD), word.slice(-LEAST_WORD)] : [];
}

/** Whether one word is a compound, an inflection or a longer form of the other. */
export function isAkin(term: string, word: string): boolean {
  if (term === word) return false;
  if (CHARACTER.test(word)) return term.includes(word);
  if (UNSPACED.test(word))
    return UNSPACED.test(term) && term.length >= LEAST_UNSPACED && (term.includes(word) || word.includes(term));
  if (SEMITIC.test(word)) {
    const [a, b] = [bare(term), bare(word)];
    if (!SEMITIC.test(term) || Math.min(a.length, b.length) < LEAST_SEMITIC) return false;
    const isLonger = Math.abs(a.length - b.length) <= MOST_AROUND && (a.startsWith(b) || b.startsWith(a));
    return a === b || isLonger || isInflection(a, b);
  }
  if (INFLECTED.test(word)) return INFLECTED.test(term) && isInflection(unmarked(term), unmarked(word));
  return LATIN.test(word) && LATIN.test(term) && (isCompound(term, word) || isCompound(word, term));
}

/** Whether a word begins or ends with another, or has a longer one inside. */
const isCompound = (whole: string, part: string): boolean =>
  part.length >= LEAST_WORD &&
  whole.length <= MOST_TIMES * part.length &&
  (whole.startsWith(part) || whole.endsWith(part) || (part.length >= LEAST_INSIDE && whole.includes(part)));

/** Whether two words differ only in their endings, or one is a compound of the other. */
function isInflection(a: string, b: string): boolean {
  let common = 0;
  while (common < a.length && a[common] === b[common]) common += 1;
  const rest = Math.max(a.length, b.length) - common;
  return (common >= LEAST_STEM && rest <= MOST_ENDING && common > rest) || isCompound(a, b) || isCompound(b, a);
}
