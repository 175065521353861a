import { effectiveLength } from "./noise.ts";

/** A sentence that may outlive its session, and as what. */
export type SentenceRule = "realize" | "decision";

export type SentenceReason = "question" | "reported" | "length" | "code" | "few_words" | "reassurance";

export interface Sentence {
  readonly text: string;
  /** Undefined: it has the form of neither. */
  readonly rule: SentenceRule | undefined;
  /** Why it is not taken although it has the form. */
  readonly refused: SentenceReason | undefined;
}

const CODE_BLOCK = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
const QUOTED_LINE = /^[^\S\n]*>.*$/gm;
const END = /(?<=[.!?])\s+(?=[\p{Lu}\p{Lo}`"'(*-])|(?<=[。！？])|\n+/u;
const LIST_MARK = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/;
const EMPHASIS = /\*\*|__/g;

/** The sentences of what was said that have the form of a rule or a decision; code and quotes are left out. */
export function sentencesOf(said: string, role: "user" | "assistant"): Sentence[] {
  const prose = said.replace(CODE_BLOCK, "\n").replace(QUOTED_LINE, "");
  return prose.split(END).flatMap((part) => {
    const text = part.replace(LIST_MARK, "").replace(EMPHASIS, "").replace(/\s+/g, " ").trim();
    const rule = text === "" ? undefined : ruleOf(text, role);
    return rule === undefined ? [] : [{ text, rule, refused: refusalOf(text) }];
  });
}

const ADVICE = String.raw`(?:(?:important|note|nb|warning|caution|careful|remember|rule|gotcha|pitfall|lesson)\b\s*[:!,–-]\s*)`;
const CIRCUMSTANCE = String.raw`(?:(?:when|whenever|while|before|after|if|in|on|for|during|with|from now on)\b[^,.;]{0,80},\s*)`;
const MILD = String.raw`(?:(?:and|also|but|so|please|just|you (?:should|must))\s+)*`;
const NEVER = `(?:never|do not|don['’]t|must not|mustn['’]t|must never|should never|avoid)`;
// Sentences with these are about the speaker, or calm the reader.
const NO_DEED =
  "worry|mind|hesitate|bother|panic|feel|know|think|see|have|need|want|like|understand|believe|get|care|seem|be|exist|work|matter|apply|mean|appear|look|say|remember|recall|expect|hold|happen";
const ENGLISH_RULE = new RegExp(
  `^${ADVICE}?${CIRCUMSTANCE}?${MILD}${NEVER}\\s+(?:ever\\s+|again\\s+)?(?!(?:${NO_DEED})\\b)[a-z]{3,}(?<!ed)\\b`,
  "i",
);
const ADVISED = new RegExp(`^${ADVICE}`, "i");
const JAPANESE_RULE =
  /(?:しないで|さないで|わないで|かないで|らないで|てはいけ|ではいけ|てはなら|ではなら|てはだめ|ちゃだめ|禁止|厳禁|(?:する|す|う|く|る)な(?:[。！!]|$)|ないこと(?:[。！!]|$))/u;
const CHINESE_RULE =
  /(?:^|[，,：:。\s])(?:请)?(?:绝对|千万|一定)?(?:不要|别|切勿|请勿|禁止|不得|严禁|不能|不可以)(?=\p{Script=Han}|\s?[A-Za-z`])/u;
const KOREAN_RULE =
  /(?:지\s*마(?:세요|십시오|라|시오)?|하지\s*말\s*것|해서는\s*안\s*(?:돼|됩|된)|하면\s*안\s*(?:돼|됩|된)|금지)/u;
const REASSURANCE =
  /^(?:no (?:problem|worries)|it['’]s (?:ok|fine))|心配し|気にし|慌て|遠慮し|不要(?:担心|紧|着急|介意|客气)|别(?:担心|急|介意|客气)|걱정|신경\s*쓰|부담\s*갖/iu;

const DECIDING = new RegExp(
  String.raw`^(?:(?:ok|okay|so|then|right|alright|fine|yes)[,:.]?\s+)*(?:` +
    String.raw`decision\s*:|decided\s*:|the decision is\b|(?:we|i)(?:['’]ve| have)? (?:have )?(?:decided|agreed|settled|chosen|opted) (?:to|on|that|for)\b|` +
    String.raw`let['’]s (?:go with|use|stick (?:with|to)|switch to|standardi[sz]e on|keep|adopt)\b|` +
    String.raw`we(?:['’]ll| will| should| are going to|['’]re going to)? (?:go with|use|stick (?:with|to)|switch to|standardi[sz]e on|settle on|adopt|keep)\b|` +
    String.raw`going with\b|use \S+ instead of\b)`,
  "i",
);
const JAPANESE_DECISION =
  /(?:に決め(?:た|ました|よう|ましょう)|に決定|を採用|で(?:行|い)(?:こう|きましょう|きます)|(?:を使う|に)こと(?:に(?:する|し|決)|とし)|に(?:しよう|しましょう))/u;
const CHINESE_DECISION = /(?:决定|确定|就用|统一(?:使用|用)|采用|改用|我们(?:用|使用|选))/u;
const KOREAN_DECISION =
  /(?:(?:으로|로)\s*(?:결정|정했|정하|가자|갑시다|하자|합시다|하기로)|(?:을|를)\s*(?:쓰기로|사용하기로|채택))/u;
const REASONED =
  /\b(?:because|since|instead of|rather than|over|so that|due to)\b|ため|ので|代わり|因为|而不是|代替|때문|대신/u;
// A choice has a name: a product, an identifier, a number.
const NAMED =
  /`[^`]+`|(?<=\S\s)[A-Z][A-Za-z0-9]+|(?<![A-Za-z0-9])[A-Za-z0-9]+[-_./:@][A-Za-z0-9]+|\b[A-Za-z]+\d+|\d+|\b[A-Z]{2,}\b/;
const NAMED_IN_CJK = /[A-Za-z][A-Za-z0-9._/-]+|\p{Script=Katakana}{3,}|「[^」]+」|“[^”]+”|\d+/u;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function ruleOf(text: string, role: "user" | "assistant"): SentenceRule | undefined {
  if (CJK.test(text)) {
    if (matches(text, JAPANESE_RULE, CHINESE_RULE, KOREAN_RULE)) return role === "user" ? "realize" : undefined;
    const isDecision = matches(text, JAPANESE_DECISION, CHINESE_DECISION, KOREAN_DECISION) && NAMED_IN_CJK.test(text);
    return isDecision && (role === "user" || REASONED.test(text)) ? "decision" : undefined;
  }
  // An agent's own "never …" is about what it is doing, unless it says that it is advice.
  if (ENGLISH_RULE.test(text)) return role === "user" || ADVISED.test(text) ? "realize" : undefined;
  const isDecision = DECIDING.test(text) && NAMED.test(text);
  return isDecision && (role === "user" || REASONED.test(text)) ? "decision" : undefined;
}

const matches = (text: string, ...forms: readonly RegExp[]): boolean => forms.some((form) => form.test(text));

const MIN_LENGTH = 20;
const MAX_LENGTH = 300;
const MIN_WORDS = 3;
const QUESTION = /[?？]\s*$|か[。！]?$|(?:吗|呢)[。！]?$|(?:까|나요)[.。]?$/u;
const REPORTED =
  /\b(?:he|she|they|somebody|someone|docs?|documentation|error|log|message|it) (?:said|says|told|tells|claims?|warn(?:s|ed))\b|\baccording to\b|と(?:言|い)(?:っ|わ)|らしい|そうです|据说|他说|她说|고\s*했|다고|라고\s*(?:했|한)/iu;
const PAST = /\b(?:didn['’]t|never (?:did|was|were|had|went|got|saw|worked)|was never|were never)\b/i;
const CODE =
  /[{};]\s*$|=>|^\s*(?:import|export|const|let|var|function|class|return|def|SELECT|\$|#!)\b|<\/?\w+>|\(\)\s*[{;]/;
const SHORT_WORDS = new Set(
  "a an the to of in on at it is and or for with by be as this that do not don't never avoid please you your we our i me my use".split(
    " ",
  ),
);

function refusalOf(text: string): SentenceReason | undefined {
  if (QUESTION.test(text)) return "question";
  if (REASSURANCE.test(text)) return "reassurance";
  if (REPORTED.test(text) || PAST.test(text)) return "reported";
  if (CODE.test(text)) return "code";
  if (effectiveLength(text) < MIN_LENGTH || Array.from(text).length > MAX_LENGTH) return "length";
  return contentWords(text) < MIN_WORDS ? "few_words" : undefined;
}

function contentWords(text: string): number {
  // Without blanks between them, two or three characters are a word.
  const cjk = CJK.test(text) ? Math.floor(effectiveLength(text) / 6) : 0;
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu) ?? [];
  return cjk + new Set(words.filter((word) => !CJK.test(word) && !SHORT_WORDS.has(word))).size;
}
