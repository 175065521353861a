import { cut } from "./cut.ts";

/** Token cost of a run of characters of one class, fitted to o200k on prose in four languages, code and JSON. */
interface RunCost {
  readonly run: number;
  readonly each: number;
  /** Characters of a run that cost nothing. */
  readonly free: number;
}

const WORD: RunCost = { run: 0.95, each: 0.13, free: 6 };
/** A capitalised word: often a name, and few names are one token. */
const NAME: RunCost = { run: 1.1, each: 0.32, free: 5 };
const CAPITALS: RunCost = { run: 0.95, each: 0.17, free: 4 };
/** A longer run of letters is no word: a key, or one letter many times. */
const LONGEST_WORD = 24;
const EACH_BEYOND = 0.35;
/** Extra cost of a Latin letter with a diacritic. */
const MARKED_LETTER = 0.6;
const DIGITS: RunCost = { run: 0.7, each: 0.45, free: 0 };
const SIGNS: RunCost = { run: 0.84, each: 0.1, free: 10 };
const LINES: RunCost = { run: 1.05, each: 0.1, free: 10 };
/** A single space belongs to the word after it. */
const BLANKS: RunCost = { run: 1.15, each: 0.1, free: 19 };
const HAN: RunCost = { run: 0.26, each: 0.73, free: 0 };
const KANA: RunCost = { run: 0, each: 0.75, free: 0 };
const HANGUL: RunCost = { run: 1.03, each: 0.41, free: 0 };
/** Cost by letter in scripts whose words are several tokens each. */
const lettersAt = (each: number): RunCost => ({ run: 0.35, each, free: 0 });
const OTHER_LETTERS = lettersAt(0.27);
/** Characters that are a token for each of their bytes, or nearly. */
const BYTES: RunCost = { run: 0, each: 2.1, free: 0 };
const signsAt = (each: number): RunCost => ({ run: 0, each, free: 0 });
const OTHER = signsAt(0.68);
const SYMBOLS = signsAt(1.6);
/** One half of a character beyond the basic plane. */
const HALVES = signsAt(1);
/** First half of a rare Han character: together with the other half it is a token for each of its four bytes. */
const RARE_HAN = signsAt(2.8);

/** Unicode blocks, each with the first code unit after it. */
const BLOCKS: readonly (readonly [end: number, cost: RunCost])[] = [
  [0xc0, OTHER],
  [0x240, WORD],
  [0x380, OTHER_LETTERS],
  [0x400, lettersAt(0.38)], // Greek
  [0x540, lettersAt(0.28)], // Cyrillic
  [0x580, lettersAt(0.34)], // Armenian
  [0x600, lettersAt(0.42)], // Hebrew
  [0x780, lettersAt(0.3)], // Arabic
  [0x900, BYTES],
  [0xa00, OTHER_LETTERS],
  [0xa80, lettersAt(0.57)], // Gurmukhi
  [0xb00, lettersAt(0.38)], // Gujarati
  [0xb80, BYTES],
  [0xd80, lettersAt(0.37)], // Tamil, Telugu, Kannada, Malayalam
  [0xe00, lettersAt(0.72)], // Sinhala
  [0xe80, lettersAt(0.45)], // Thai
  [0x1000, BYTES], // Lao, Tibetan
  [0x1080, lettersAt(0.52)], // Burmese
  [0x1100, lettersAt(0.36)], // Georgian
  [0x1780, BYTES], // Ethiopic and others
  [0x1800, lettersAt(0.76)], // Khmer
  [0x1e00, BYTES],
  [0x1f00, OTHER_LETTERS], // Latin with more marks, as in Vietnamese
  [0x2000, BYTES],
  [0x2100, OTHER],
  [0x2500, SYMBOLS],
  [0x2600, signsAt(1.3)], // Boxes and blocks
  [0x3000, SYMBOLS],
  [0x3040, OTHER],
  [0x3100, KANA],
  [0x3400, OTHER],
  [0xa000, HAN],
  [0xac00, BYTES],
  [0xd7c0, HANGUL],
  [0xd840, HALVES],
  [0xd880, RARE_HAN],
  [0xf900, HALVES],
  [0xff40, OTHER],
  [0x10000, SYMBOLS],
];
// Every block starts at a multiple of this.
const PAGE = 64;
const PAGES = new Array<RunCost>(0x10000 / PAGE);
for (const [at, [end, cost]] of BLOCKS.entries()) PAGES.fill(cost, (BLOCKS[at - 1]?.[0] ?? 0) / PAGE, end / PAGE);

const ASCII = Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[a-z]/i.test(character)) return WORD;
  if (/[0-9]/.test(character)) return DIGITS;
  if (character === " ") return BLANKS;
  return /\s/.test(character) ? LINES : SIGNS;
});

const classOf = (unit: number): RunCost =>
  (unit < ASCII.length ? ASCII[unit] : PAGES[Math.floor(unit / PAGE)]) as RunCost;

const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;

/** Factor by which an estimate may be too low. */
export const MARGIN = 1.12;

/** Estimates the tokens of a text, within a tenth for prose and code. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const cost = classOf(text.charCodeAt(at));
    const end = endOfRun(text, at, cost);
    const isOneBlank = cost === BLANKS && end - at === 1;
    if (cost === WORD) tokens += wordTokens(text, at, end);
    else if (!isOneBlank) tokens += tokensOf(cost, end - at);
    at = end;
  }
  return Math.ceil(Math.round(tokens * 100) / 100);
}

const tokensOf = ({ run, each, free }: RunCost, length: number): number => run + each * Math.max(0, length - free);

function wordTokens(text: string, start: number, end: number): number {
  const isName = isUpper(text.charCodeAt(start));
  const isCapitals = isName && end - start > 1 && isUpper(text.charCodeAt(start + 1));
  let tokens = tokensOf(isCapitals ? CAPITALS : isName ? NAME : WORD, end - start);
  tokens += EACH_BEYOND * Math.max(0, end - start - LONGEST_WORD);
  for (let at = start; at < end; at++) if (text.charCodeAt(at) >= ASCII.length) tokens += MARKED_LETTER;
  return tokens;
}

function endOfRun(text: string, start: number, cost: RunCost): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    const next = classOf(unit);
    // Spaces after a line break form one token with it.
    if (next !== cost && !(cost === LINES && next === BLANKS)) break;
    // `camelCase` has two words.
    if (cost === WORD && isUpper(unit) && !isUpper(text.charCodeAt(end - 1))) break;
  }
  return end;
}

/** Cuts a text to a number of tokens, with `…` at the end if something is left out. */
export function cutToTokens(text: string, most: number): string {
  if (estimateTokens(text) <= most) return text;
  let [fits, least, beyond] = ["…", 0, Math.min(text.length, 12 * most)];
  while (least + 1 < beyond) {
    const length = Math.floor((least + beyond) / 2);
    const begun = `${cut(text, length).replace(/…$/u, "").trimEnd()}…`;
    if (estimateTokens(begun) > most) beyond = length;
    else [fits, least] = [begun, length];
  }
  return fits;
}

/** Lower bound of a text's tokens in any script, from its length alone. */
export const leastTokens = (text: string): number => Math.floor(text.length / 10);
