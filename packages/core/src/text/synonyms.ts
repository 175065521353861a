import { isAscii } from "./characters.ts";
import { fold } from "./fold.ts";
import { foldHan } from "./fold-han.ts";
import { bigramsOf, termsOf } from "./segment.ts";
import { SYNONYM_GROUPS } from "./synonym-groups.ts";

interface Term {
  readonly text: string;
  readonly isGram: boolean;
}

/** The terms of one expression. */
type Expression = readonly Term[];

export interface Phrase {
  readonly text: string;
  /** Whether it may stand directly beside other words, without a space. */
  readonly isSpaceless: boolean;
  /** Equivalent spellings: as a word, as grams. */
  readonly own: readonly Expression[];
  readonly others: readonly Expression[];
}

/** Expressions with the same meaning, in any language. */
export interface Synonyms {
  /** Other expressions for a single indexed word. */
  of(word: string): readonly Expression[] | undefined;
  /** Expressions in a text with several words, or in a script without spaces. */
  phrasesIn(text: string): readonly Phrase[];
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const isSpaceless = (text: string): boolean => !isAscii(text) && SPACELESS.test(text);

/** Groups of each expression, each as one line that is parsed when a text contains one of its expressions. */
interface Tables {
  readonly words: Map<string, readonly string[]>;
  readonly phrases: Map<string, readonly string[]>;
}

/** @param groups comma-separated expressions for one thing each; parsed at the first question */
export function readSynonyms(groups: readonly string[]): Synonyms {
  let ascii: Tables | undefined;
  let all: Tables | undefined;
  const tablesFor = (text: string): Tables => {
    if (isAscii(text)) ascii ??= tablesOfAscii(groups);
    else all ??= tablesOfAll(groups);
    return (isAscii(text) ? ascii : all) as Tables;
  };
  // Parsed on demand: parsing all would take a tenth of a second at the first question.
  const known = new Map<string, Expression[]>();
  const expressions = (member: string): Expression[] => {
    const found = known.get(member) ?? expressionsOf(member);
    known.set(member, found);
    return found;
  };
  const othersOf = (member: string, groups: readonly string[]) =>
    groups.flatMap((group) => membersOf(folded(group)).filter((each) => each !== member)).flatMap(expressions);
  return {
    of(word) {
      const groups = tablesFor(word).words.get(word);
      return groups && othersOf(word, groups);
    },
    phrasesIn(text) {
      const within = ` ${folded(text)} `;
      return [...tablesFor(within).phrases]
        .filter(([member]) => standsIn(member, within))
        .map(([member, groups]) => ({
          text: member,
          isSpaceless: isSpaceless(member),
          own: expressions(member),
          others: othersOf(member, groups),
        }));
    },
  };
}

const folded = (text: string): string => foldHan(fold(text.normalize("NFKC")));

/** Expressions of a group, without single characters of a script without spaces, which occur in too many words. */
const membersOf = (group: string): string[] =>
  group
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member.length > 1);

/** Characters that folding may turn into ASCII. */
const MARKED = /[^\0-\x7f\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;
const NOT_ASCII = /(?<![^,\n])[^,\n]*[^\0-\x7f,\n][^,\n]*/g;
const MEMBER_OR_END = /[^\s,][^,\n]*[^\s,]|\n/g;

/**
 * Tables of the ASCII expressions only: folding and splitting all would take five milliseconds in a process that
 * answers one question.
 */
function tablesOfAscii(groups: readonly string[]): Tables {
  const tables: Tables = { words: new Map(), phrases: new Map() };
  const written = groups.join("\n");
  const text = MARKED.test(written) ? folded(written) : written.toLowerCase();
  let at = 0;
  for (const member of text.replace(NOT_ASCII, "").match(MEMBER_OR_END) ?? []) {
    if (member === "\n") at += 1;
    else put(member.includes(" ") ? tables.phrases : tables.words, member, groups[at] as string);
  }
  return tables;
}

function tablesOfAll(groups: readonly string[]): Tables {
  const tables: Tables = { words: new Map(), phrases: new Map() };
  // All groups are folded at once, which is faster than one by one.
  for (const group of folded(groups.join("\n")).split("\n")) {
    for (const member of membersOf(group)) {
      const isWord = !isSpaceless(member) && !member.includes(" ");
      put(isWord ? tables.words : tables.phrases, member, group);
    }
  }
  return tables;
}

function put(table: Map<string, readonly string[]>, member: string, group: string): void {
  const others = table.get(member);
  table.set(member, others ? [...others, group] : [group]);
}

/** Index terms of an expression: its word if it is one word, and its grams. */
function expressionsOf(member: string): Expression[] {
  // A word that the dictionary does not know is harmless, because no row contains it.
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

/**
 * Whether an expression occurs in a text: anywhere for scripts without spaces, otherwise between spaces and
 * punctuation.
 */
function standsIn(member: string, text: string): boolean {
  const at = text.indexOf(member);
  if (at < 0 || isSpaceless(member)) return at >= 0;
  return !WORD_BEFORE.test(text.slice(0, at)) && !WORD_AFTER.test(text.slice(at + member.length));
}

export const DEFAULT_SYNONYMS: Synonyms = readSynonyms(SYNONYM_GROUPS);
