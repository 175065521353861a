/** Alphabetic scripts only: errors in scripts typed by syllables look different. */
const TYPED = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Katakana}ー]+$/u;

// Shorter words have too many neighbours with another meaning.
const LEAST_SWAPPED = 4;
const LEAST_DOUBLED = 5;
const LEAST_MISSING = 6;
const LEAST_WRONG = 7;
/** Least length of a prefix: too many words share a shorter one. */
const BEGINNING = 3;

/**
 * Prefixes of the words that a misspelt word may have meant, if its first letter is right; none for a short word or a
 * non-word. `isMeantBy` decides on the words with these prefixes.
 */
export function beginningsMeant(typed: string): string[] {
  if (typed.length < LEAST_SWAPPED || !TYPED.test(typed)) return [];
  const beginnings = [typed.slice(0, BEGINNING)];
  for (let at = 1; at < BEGINNING; at++) {
    const [before, letter = "", next = "", after] = [typed.slice(0, at), typed[at], typed[at + 1], typed.slice(at + 2)];
    const [swapped, oneLess, doubled] = [next + letter, next, letter + letter + next];
    beginnings.push(...[swapped, oneLess, doubled].map((middle) => (before + middle + after).slice(0, BEGINNING)));
  }
  return [...new Set(beginnings)];
}

/**
 * Whether two words differ by one typing error: two letters swapped, or one doubled, missing, added or wrong (F. J.
 * Damerau, 1964). Lower case.
 */
export function isMeantBy(meant: string, typed: string): boolean {
  if (meant === typed || meant[0] !== typed[0] || !TYPED.test(meant)) return false;
  const at = firstOther(meant, typed);
  const rest = (word: string, from: number) => word.slice(at + from);
  if (meant.length === typed.length) {
    if (rest(meant, 1) === rest(typed, 1)) return typed.length >= LEAST_WRONG;
    const isSwapped = meant[at] === typed[at + 1] && meant[at + 1] === typed[at] && rest(meant, 2) === rest(typed, 2);
    return isSwapped && typed.length >= LEAST_SWAPPED;
  }
  const [shorter, longer] = meant.length < typed.length ? [meant, typed] : [typed, meant];
  if (longer.length !== shorter.length + 1 || rest(longer, 1) !== rest(shorter, 0)) return false;
  return typed.length >= (longer[at] === longer[at - 1] ? LEAST_DOUBLED : LEAST_MISSING);
}

function firstOther(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
