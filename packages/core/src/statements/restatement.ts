import { negationsIn, withoutOpposites } from "./polarity.ts";
import { readStatement, type Script, sentencesOf, type Word } from "./statement.ts";

const MOST_SENTENCES = 3;

/** A sentence with its parsed parts, cached for comparisons with many others. */
export class Sentence {
  readonly text: string;
  #words: readonly Word[] | undefined;
  #roots: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get words(): readonly Word[] {
    this.#words ??= readStatement(this.text).words;
    return this.#words;
  }

  /** Sorted. */
  get roots(): readonly string[] {
    this.#roots ??= this.words.map(({ root }) => root).sort();
    return this.#roots;
  }
}

export const readSentences = (text: string): readonly Sentence[] =>
  sentencesOf(text).map((sentence) => new Sentence(sentence));

/**
 * Whether two texts say the same in another order, voice or form: with the same words, and the same preposition before
 * each place and time. Subject and object must be distinguishable by more than word order.
 */
export function restates(ones: readonly Sentence[], others: readonly Sentence[]): boolean {
  if (ones.length === 0 || ones.length > MOST_SENTENCES || ones.length !== others.length) return false;
  return ones.every((one, nth) => isOneSentence(one, others[nth] as Sentence));
}

function isOneSentence(a: Sentence, b: Sentence): boolean {
  const [one, other] = [a.words, b.words];
  if (one.length < 2 || !isSame(a.roots, b.roots)) return false;
  if (negationsIn(a.text) !== negationsIn(b.text) || withoutOpposites(a.text, b.text) !== undefined) return false;
  const script = one.find((word) => word.script !== "latin")?.script ?? "latin";
  return SAME_ROLES[script](a.text, b.text, one, other);
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each, at) => each === b[at]);

type SameRoles = (a: string, b: string, one: readonly Word[], other: readonly Word[]) => boolean;

const SAME_ROLES: Readonly<Record<Script, SameRoles>> = {
  latin: (_, __, one, other) => isSame(phrasesOf(one), phrasesOf(other)),
  ja: (a, b, one, other) => isSameMarked(one, other, [JAPANESE_ROLE, ...objectIn(a, b, /を/u)]),
  ko: (a, b, one, other) => isSameMarked(one, other, [KOREAN_ROLE, ...objectIn(a, b, /[을를](?=\s)/u)]),
  // Word order distinguishes the roles, unless a word does.
  zh: (a, b, one, other) => isInOrder(one, other) || CHINESE_ROLE.test(a) || CHINESE_ROLE.test(b),
};

const isInOrder = (one: readonly Word[], other: readonly Word[]): boolean =>
  one.every(({ root }, at) => root === other[at]?.root);

const isSameMarked = (one: readonly Word[], other: readonly Word[], roles: readonly RegExp[]): boolean =>
  isSame(marked(one, roles), marked(other, roles));

/** In two sentences of the same voice the object shows the roles; without an object, the voice has changed. */
const objectIn = (a: string, b: string, mark: RegExp): RegExp[] =>
  mark.test(a) && mark.test(b) ? [new RegExp(`^${mark.source}`, "u")] : [];

const JAPANESE_ROLE = /^(?:に(?!つ)|で(?!す|あ)|から|へ|まで|より|と(?![きこ]))/u;
const KOREAN_ROLE = /^(?:에서|에|으로|로|까지|부터)/u;
const CHINESE_ROLE = /[由被把将將]|在.+(?:之前|之后|之後|时|時|前|后|後)/u;

const marked = (words: readonly Word[], roles: readonly RegExp[]): string[] =>
  words.map(({ root, after }) => [root, ...roles.map((role) => role.exec(after)?.[0] ?? "")].join(" ")).sort();

const PASSIVE = /\b(?:is|are|was|were|be|been|gets?)\s+(?:\w+\s+)?$/i;
const BY = /\bby\s+(?:the\s+|a\s+|an\s+|our\s+)?$/i;
const PREPOSITION =
  /\b(?:in|on|at|to|from|into|via|through|with|for|per|as|before|after|during|without|under|over|until|unless|if|when|while|because)\b/gi;

/**
 * Phrases of an English sentence, each with its preposition; the agent of a passive sentence comes first, as in an
 * active one.
 */
function phrasesOf(words: readonly Word[]): string[] {
  const phrases: string[][] = [[""]];
  const doer: string[] = [];
  const isPassive = words.some(({ before }) => PASSIVE.test(before)) && words.some(({ before }) => BY.test(before));
  let isDoer = false;
  for (const { root, before } of words) {
    const preposition = before.toLowerCase().match(PREPOSITION)?.at(-1);
    if (isPassive && BY.test(before)) isDoer = true;
    else if (preposition !== undefined || BEGINS_PHRASE.has(root)) {
      isDoer = false;
      phrases.push([preposition ?? root]);
    } else if (/[,;]/.test(before) && phrases.length > 1) {
      isDoer = false;
      phrases.push([""]);
    }
    if (isDoer) doer.push(root);
    else phrases.at(-1)?.push(root);
  }
  const main = phrases.filter(([preposition]) => preposition === "").flatMap(([, ...roots]) => roots);
  const clause = isPassive ? [...doer, ...verbFirst(main, words)] : main;
  const others = phrases.filter(([preposition]) => preposition !== "").map((phrase) => phrase.join(" "));
  return [clause.join(" "), ...others].sort();
}

/** Stems of prepositions that change the meaning, and so count as words. */
const BEGINS_PHRASE = new Set(["befor", "after"]);

/** Puts the verb before the object, as in an active sentence. */
function verbFirst(main: readonly string[], words: readonly Word[]): string[] {
  const verb = words.find(({ before }) => PASSIVE.test(before))?.root;
  return verb === undefined ? [...main] : [verb, ...main.filter((root) => root !== verb)];
}
