import { stemmer } from "stemmer";
import { isAscii } from "../text/characters.ts";
import { fold } from "../text/fold.ts";
import { unitAt } from "./facts.ts";

export type Script = "latin" | "ja" | "zh" | "ko";

/** A content word, with the text up to its neighbours. */
export interface Word {
  readonly raw: string;
  /** Form for comparison: without case, inflection and particle. */
  readonly root: string;
  readonly kind: "plain" | "number" | "name";
  /** Weight in a comparison: a character of a script without spaces weighs less than a word. */
  readonly weight: number;
  /** Whether it is a number with a unit, which is always a value. */
  readonly hasUnit: boolean;
  readonly script: Script;
  readonly before: string;
  readonly after: string;
}

/** One sentence of a memory. */
export interface Statement {
  readonly text: string;
  readonly words: readonly Word[];
}

const SENTENCE = /[.!?](?=\s|$)|[。！？\n;；]/u;
const MOST_STATEMENTS = 12;
const MOST_WORDS = 48;

/** Splits a text into sentences; of a long text, the first ones. */
export function sentencesOf(text: string): string[] {
  const sentences = (isAscii(text) ? text : text.normalize("NFKC")).split(SENTENCE);
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")
    .slice(0, MOST_STATEMENTS);
}

const LATIN = String.raw`[\p{Script=Latin}\d_$@~][\p{Script=Latin}\p{M}\w$@~]*(?:[.\-/\\#+:]+[\p{Script=Latin}\w$@~]+)*%?`;
const UNSPACED = String.raw`\p{Script=Han}+|[\p{Script=Katakana}ー]+|\p{Script=Hangul}+|\p{Script=Hiragana}+`;
const WORD = new RegExp(`${LATIN}|${UNSPACED}|[\\p{L}\\p{M}]+`, "gu");
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HIRAGANA = /^\p{Script=Hiragana}+$/u;
const HAN = /^\p{Script=Han}+$/u;
const HANGUL = /^\p{Script=Hangul}+$/u;
const KATAKANA = /^[\p{Script=Katakana}ー]+$/u;

/** English function words; they stay in the gaps between content words. */
const FUNCTION_WORDS = new Set(
  (
    "a an the is are was were be been being am do does did will would shall can could may might must should have has had " +
    "that this these those our we it its they them their you your i me my he she of in on at to from into onto via through " +
    "with for by as per than and or so also just please there here when if because while which who then too about up off out"
  ).split(" "),
);
const CHINESE_GAPS = new Set("的了是在为於于把被由将將已经經会會要也都就着之其和与與及而则則");

// Number of parsed sentences to keep: a save compares short sentences that earlier saves have parsed.
const MOST_KEPT = 1024;
const LONGEST_KEPT = 500;
const kept = new Map<string, Statement>();

/** Parses a sentence, up to a limited number of words; empty if it has none. */
export function readStatement(sentence: string): Statement {
  const known = kept.get(sentence);
  if (known) return known;
  const statement = wordsIn(sentence);
  if (sentence.length > LONGEST_KEPT) return statement;
  kept.set(sentence, statement);
  if (kept.size > MOST_KEPT) for (const oldest of [...kept.keys()].slice(0, MOST_KEPT / 2)) kept.delete(oldest);
  return statement;
}

function wordsIn(sentence: string): Statement {
  const text = withDigits(sentence);
  const words: { -readonly [K in keyof Word]: Word[K] }[] = [];
  const isJapanese = KANA.test(text);
  const isSpaced = isAscii(text);
  let end = 0;
  const add = (word: Omit<Word, "before" | "after">, from: number, to: number) => {
    const before = text.slice(end, from);
    const last = words.at(-1);
    if (last) last.after = before;
    words.push({ ...word, before, after: "" });
    end = to;
  };
  for (const match of text.matchAll(WORD)) {
    const [raw] = match;
    const at = match.index;
    if (words.length >= MOST_WORDS) break;
    if (at < end) continue;
    if (HAN.test(raw) && !isJapanese) {
      for (const [nth, character] of [...raw].entries()) {
        const from = at + nth;
        if (from < end || CHINESE_GAPS.has(character)) continue;
        if (words.length >= MOST_WORDS) break;
        add(
          { raw: character, root: character, kind: "plain", weight: 0.5, hasUnit: false, script: "zh" },
          from,
          from + 1,
        );
      }
    } else if (HANGUL.test(raw)) {
      const stem = koreanRoot(raw);
      if (stem === "") continue;
      add({ raw, root: stem, kind: "plain", weight: weigh(stem), hasUnit: false, script: "ko" }, at, at + stem.length);
    } else if (KATAKANA.test(raw) || HAN.test(raw)) {
      const root = raw.replace(/ー+$/u, "");
      const kind = KATAKANA.test(raw) ? "name" : "plain";
      add({ raw, root, kind, weight: weigh(root), hasUnit: false, script: "ja" }, at, at + raw.length);
    } else if (!HIRAGANA.test(raw)) {
      if (FUNCTION_WORDS.has(raw.toLowerCase())) continue;
      const { length, ...word } = latinWord(raw, text, at, isSpaced);
      add({ ...word, raw }, at, at + length);
    }
  }
  const last = words.at(-1);
  if (last) last.after = text.slice(end);
  return { text: sentence, words };
}

const HAN_DIGITS = "〇一二三四五六七八九";
const HAN_POWERS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };
/** Chinese numerals before an unambiguous unit; 十分 also means "very", and an ordinal is no amount. */
const HAN_AMOUNT =
  /(?<![第〇零一二三四五六七八九十百千两兩])[〇零一二三四五六七八九十百千两兩]+(?=秒|分钟|分鐘|分間|時間|小时|小時|日間|天|週間|周|個月|个月|か月|ヶ月|年間|回|次|倍)/gu;

/** Replaces Chinese numerals by digits: 三十秒 and 30秒 are the same amount. A lone 一 is seldom a number. */
const withDigits = (sentence: string): string =>
  sentence.replace(HAN_AMOUNT, (numeral) => (numeral === "一" ? numeral : String(amountOf(numeral))));

function amountOf(numeral: string): number {
  const isPositional = !/[十百千]/u.test(numeral);
  let sum = 0;
  let digit: number | undefined;
  for (const character of numeral.replace(/[两兩]/gu, "二").replaceAll("零", "〇")) {
    const power = HAN_POWERS[character];
    if (power !== undefined) {
      sum += (digit || 1) * power;
      digit = undefined;
    } else {
      digit = (isPositional ? (digit ?? 0) * 10 : 0) + HAN_DIGITS.indexOf(character);
    }
  }
  return sum + (digit ?? 0);
}

const weigh = (root: string): number => Math.min(2, Math.max(1, root.length / 3));

const IRREGULAR: Readonly<Record<string, string>> = {
  written: "write",
  wrote: "write",
  kept: "keep",
  held: "hold",
  ran: "run",
  sent: "send",
  built: "build",
  taken: "take",
  took: "take",
  made: "make",
  found: "find",
  given: "give",
  lives: "live",
};
const ENGLISH = /^[a-z]{3,40}$/;
const NUMBER = /^v?\d+(?:[.,:/-]\d+)*%?$/i;
/** "One" is left out, because it is more often a pronoun than a number. */
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  (
    "two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12 fifteen 15 twenty 20 thirty 30 " +
    "forty 40 fifty 50 sixty 60 ninety 90"
  )
    .match(/\b\w+ \d+/g)
    ?.map((pair) => pair.split(" ") as [string, string]),
);
const NUMBER_WITH_UNIT = /^(\d+(?:[.,]\d+)?)([A-Za-z]{1,12}|%)$/;

/** An English word, a number with a unit, an identifier or a name. */
function latinWord(raw: string, text: string, at: number, isSpaced: boolean) {
  const glued = NUMBER_WITH_UNIT.exec(raw);
  const unit = glued && unitAt(String(glued[2]));
  if (glued && (unit || glued[2] === "%")) {
    return { ...numberOf(`${glued[1]}${unit?.name ?? "%"}`, true), length: raw.length };
  }
  const digits = NUMBER_WORDS.get(raw.toLowerCase()) ?? raw;
  if (NUMBER.test(digits)) {
    const rest = text.slice(at + raw.length);
    const gap = /^[\s-]?/.exec(rest)?.[0].length ?? 0;
    const follows = unitAt(rest.slice(gap));
    if (!follows) return { ...numberOf(digits.toLowerCase().replace(/^v/, ""), raw.includes("%")), length: raw.length };
    return { ...numberOf(`${digits}${follows.name}`, true), length: raw.length + gap + follows.length };
  }
  const plain = fold(raw);
  const isFirst = text.slice(0, at).trim() === "";
  const isName =
    !isSpaced ||
    /[_$@/\\\d#]|[.:+-]\w/.test(raw) ||
    /[a-z][A-Z]|[A-Z]{2}/.test(raw) ||
    (!isFirst && /^\p{Lu}/u.test(raw)) ||
    text[at - 1] === "`";
  const root = ENGLISH.test(plain) ? stemmer(IRREGULAR[plain] ?? plain) : plain;
  return {
    root,
    kind: isName ? ("name" as const) : ("plain" as const),
    weight: 1,
    hasUnit: false,
    script: "latin" as const,
    length: raw.length,
  };
}

const numberOf = (root: string, hasUnit: boolean) =>
  ({ root, kind: "number", weight: 1, hasUnit, script: "latin" }) as const;

const KOREAN_AUXILIARY =
  /^(?:이?다|입니다|한다|합니다|하다|된다|됩니다|되다|있다|있습니다|어야|수|것|는다|습니다|으로|로|에|이|가|를|을|은|는)$/;
const KOREAN_ENDING =
  /(?:되어야|해야|합니다|한다|하다|하지|하고|하는|하며|해|됩니다|된다|되다|되지|되어|되는|되고|입니다|이다|이며|이고|에서는|에서|에는|에도|으로|로|에|은|는|이|가|을|를|의|도|만|와|과)$/;

function koreanRoot(raw: string): string {
  if (KOREAN_AUXILIARY.test(raw)) return "";
  const stem = raw.replace(KOREAN_ENDING, "");
  return stem.length < 1 ? raw : stem;
}
