export const LANGUAGES = ["en", "ja", "zh", "ko"] as const;
export type Language = (typeof LANGUAGES)[number];

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const HAN = /\p{Script=Han}/u;

/** The language a person writes in, by its script. */
export function languageOf(text: string): Language {
  if (KANA.test(text)) return "ja";
  if (HANGUL.test(text)) return "ko";
  return HAN.test(text) ? "zh" : "en";
}
