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

/** The groups that each expression is in, each as one line: it is taken apart when a text has one of its expressions. */
interface Tables {
  readonly words: Map<string, readonly string[]>;
  readonly phrases: Map<string, readonly string[]>;
}

/** @param groups expressions for one thing each, joined by commas. Read at the first question. */
export function readSynonyms(groups: readonly string[]): Synonyms {
  let ascii: Tables | undefined;
  let all: Tables | undefined;
  const tablesFor = (text: string): Tables => {
    if (isAscii(text)) ascii ??= tablesOfAscii(groups);
    else all ??= tablesOfAll(groups);
    return (isAscii(text) ? ascii : all) as Tables;
  };
  // Taking all of them apart would cost a first question a tenth of a second.
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

/** Expressions of a group. One character of a script without blanks stands in too many words. */
const membersOf = (group: string): string[] =>
  group
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member.length > 1);

/** Anything that folding may turn into ASCII: neither ASCII itself nor kana, a Han character or a Hangul syllable. */
const MARKED = /[^\0-\x7f\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;
const NOT_ASCII = /(?<![^,\n])[^,\n]*[^\0-\x7f,\n][^,\n]*/g;
const MEMBER_OR_END = /[^\s,][^,\n]*[^\s,]|\n/g;

/**
 * Tables of what a text of ASCII may hold. Folding and parting all the others takes five milliseconds of a process that is
 * asked one question; so would taking one group after the other apart.
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
  // Folded at once, which is faster than one after the other.
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
