import { isAscii } from "./ascii.ts";
import { fold } from "./fold.ts";
import { foldHan } from "./fold-han.ts";
import { bigramsOf, termsOf } from "./segment.ts";
import { SYNONYM_GROUPS } from "./synonym-groups.ts";

interface Term {
  readonly text: string;
  readonly isGram: boolean;
}

/** All the terms that one expression is made of. */
type Expression = readonly Term[];

export interface Phrase {
  readonly text: string;
  /** Whether other words may stand right beside it, without a blank. */
  readonly isSpaceless: boolean;
  /** Each as good as the other: its word, its grams. */
  readonly own: readonly Expression[];
  readonly others: readonly Expression[];
}

/** Which expressions mean the same, in any language. */
export interface Synonyms {
  /** Other expressions for a single word, as it stands in the index. */
  of(word: string): readonly Expression[] | undefined;
  /** Expressions of more than one word, or in a script without blanks, that stand in a text. */
  phrasesIn(text: string): readonly Phrase[];
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const isSpaceless = (text: string): boolean => !isAscii(text) && SPACELESS.test(text);

/** The groups that each expression is in, as they are written: folded, and nothing more until a text has one of them. */
interface Tables {
  readonly words: ReadonlyMap<string, readonly Group[]>;
  readonly phrases: ReadonlyMap<string, readonly Group[]>;
  /** Phrases that may stand in a text of ASCII. */
  readonly asciiPhrases: ReadonlyMap<string, readonly Group[]>;
}

type Group = readonly string[];

/** @param groups expressions for one thing each, joined by commas. Read at the first question. */
export function readSynonyms(groups: readonly string[]): Synonyms {
  let read: Tables | undefined;
  const tables = () => {
    read ??= tablesOf(groups);
    return read;
  };
  // Taking all of them apart would cost a first question a tenth of a second.
  const known = new Map<string, Expression[]>();
  const expressions = (member: string): Expression[] => {
    const found = known.get(member) ?? expressionsOf(member);
    known.set(member, found);
    return found;
  };
  const othersOf = (member: string, groups: readonly Group[]) =>
    groups.flatMap((group) => group.filter((each) => each !== member).flatMap(expressions));
  return {
    of(word) {
      const groups = tables().words.get(word);
      return groups && othersOf(word, groups);
    },
    phrasesIn(text) {
      const folded = ` ${foldHan(fold(text.normalize("NFKC")))} `;
      const { phrases, asciiPhrases } = tables();
      return [...(isAscii(folded) ? asciiPhrases : phrases)]
        .filter(([member]) => standsIn(member, folded))
        .map(([member, groups]) => ({
          text: member,
          isSpaceless: isSpaceless(member),
          own: expressions(member),
          others: othersOf(member, groups),
        }));
    },
  };
}

function tablesOf(lines: readonly string[]): Tables {
  const words = new Map<string, Group[]>();
  const phrases = new Map<string, Group[]>();
  // Folded at once: one after the other, a thousand expressions take a process's first question some milliseconds.
  for (const line of foldHan(fold(lines.join("\n").normalize("NFKC"))).split("\n")) {
    const members = line.split(",").map((member) => member.trim());
    // One character of a script without blanks stands in too many words.
    const group = members.filter((member) => member.length > 1);
    for (const member of group) {
      const isWord = !isSpaceless(member) && !member.includes(" ");
      const table = isWord ? words : phrases;
      const others = table.get(member);
      if (others) others.push(group);
      else table.set(member, [group]);
    }
  }
  return { words, phrases, asciiPhrases: new Map([...phrases].filter(([member]) => isAscii(member))) };
}

/** The terms by which the index knows an expression: its word where it is one, its grams where it has some. */
function expressionsOf(member: string): Expression[] {
  // Whether a dictionary knows it as one word is not asked: a word that it does not know stands in no row.
  const words = isSpaceless(member) ? [member] : termsOf(member).words;
  const grams = bigramsOf(member);
  const [first] = words;
  const isWord = first !== undefined && !first.includes(" ") && (words.length === 1 || first === member);
  const ways: Expression[] = isWord ? [[{ text: first, isGram: false }]] : [];
  if (grams.length > 0) ways.push(grams.map((text) => ({ text, isGram: true })));
  return ways.length > 0 ? ways : [member.split(" ").map((text) => ({ text, isGram: false }))];
}

const WORD_BEFORE = /[\p{L}\p{N}_]$/u;
const WORD_AFTER = /^[\p{L}\p{N}_]/u;

/** Scripts without blanks are looked for anywhere, others between blanks and punctuation. */
function standsIn(member: string, text: string): boolean {
  const at = text.indexOf(member);
  if (at < 0 || isSpaceless(member)) return at >= 0;
  return !WORD_BEFORE.test(text.slice(0, at)) && !WORD_AFTER.test(text.slice(at + member.length));
}

export const DEFAULT_SYNONYMS: Synonyms = readSynonyms(SYNONYM_GROUPS);
