import { E5_SMALL } from "./e5-small.ts";

/** Languages whose vectors are moved to each other, told apart by their scripts. */
export const CENTRED_LANGUAGES = ["en", "ja", "zh", "ko"] as const;
export type Language = (typeof CENTRED_LANGUAGES)[number];

/** How a text is read by a model with prefixes: the means of questions and of stored texts differ. */
export const TEXT_KINDS = ["query", "passage"] as const;
type TextKind = (typeof TEXT_KINDS)[number];

/** Offsets by their name in a model's description. */
const CENTRES: ReadonlyMap<string, string> = new Map([["e5-small", E5_SMALL]]);

/** Numbers are stored as sixteen-bit integers of this size. */
const STEP = 1 / 32_768;

/**
 * Takes from a vector what only tells its language and kind, and restores its length of 1. A model trained on pairs of one
 * language keeps a constant offset for each language, so that a question lies nearer to every text of its own language
 * than to its answer in another one.
 */
export type Centring = (vector: Float32Array, text: string, kind: TextKind) => Float32Array;

/** The centring of this name, for vectors of this many numbers; throws where there is none. */
export function readCentring(name: string, dimensions: number): Centring {
  const stored = CENTRES.get(name);
  if (stored === undefined) throw new Error(`there are no centres named ${name}`);
  const names = TEXT_KINDS.flatMap((kind) => CENTRED_LANGUAGES.map((language) => `${kind} ${language}`));
  const offsets = readOffsets(stored, dimensions);
  if (offsets.length !== names.length) throw new Error(`the centres of ${name} are of another length`);
  const byName = new Map(names.map((offset, nth) => [offset, offsets[nth] as Float32Array]));
  return (vector, text, kind) => moved(vector, byName.get(`${kind} ${languageOf(text)}`) as Float32Array);
}

/** Offsets from the text that `writeOffsets` made of them; throws where it does not hold whole ones. */
export function readOffsets(stored: string, dimensions: number): Float32Array[] {
  const bytes = Buffer.from(stored, "base64");
  const count = bytes.length / (2 * dimensions);
  if (!Number.isInteger(count)) throw new Error(`the offsets are not of ${dimensions} numbers`);
  const numberAt = (nth: number, at: number) => bytes.readInt16LE(2 * (nth * dimensions + at)) * STEP;
  return Array.from({ length: count }, (_, nth) =>
    Float32Array.from({ length: dimensions }, (__, at) => numberAt(nth, at)),
  );
}

/** Offsets as text: for a centring first those of questions, then those of stored texts, by language. */
export function writeOffsets(offsets: readonly Float32Array[]): string {
  const numbers = offsets.flatMap((offset) => [...offset].map((x) => Math.round(x / STEP)));
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeInt16LE(number, 2 * at);
  return bytes.toString("base64");
}

/** Takes an offset from a vector, and restores its length of 1. */
export function moved(vector: Float32Array, offset: Float32Array): Float32Array {
  const result = vector.map((x, at) => x - (offset[at] as number));
  const norm = Math.sqrt(result.reduce((sum, x) => sum + x * x, 0));
  return norm === 0 ? vector : result.map((x) => x / norm);
}

/** UTF-16 units that are examined: a text's beginning shows its language. */
const LOOKED_AT = 2000;
/** Latin letters in the space of one character of another script: names and code stand in texts of every language. */
const LETTERS_PER_CHARACTER = 5;

const LATIN = /\p{Script=Latin}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HAN = /\p{Script=Han}/gu;
const HANGUL = /\p{Script=Hangul}/gu;

/** Language of a text by the script of most of its letters. Texts of other scripts count as English. */
export function languageOf(text: string): Language {
  const head = text.slice(0, LOOKED_AT);
  const count = (script: RegExp) => head.match(script)?.length ?? 0;
  const [kana, han, hangul] = [count(KANA), count(HAN), count(HANGUL)];
  if (LETTERS_PER_CHARACTER * (kana + han + hangul) <= count(LATIN)) return "en";
  if (hangul > kana + han) return "ko";
  if (kana > 0) return "ja";
  return han > 0 ? "zh" : "en";
}
