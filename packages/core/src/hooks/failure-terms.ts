import { termsOf } from "../text/segment.ts";
import { STOP_WORDS } from "../text/stop-words.ts";
import { readOutput } from "../transcript/failures.ts";
import { namesAnother, type Phrases, phrasesIn, sharedPhrase } from "./phrases.ts";

/** A term of a failure's output. */
interface Term {
  readonly text: string;
  readonly weight: number;
  /** Whether it names a thing, rather than being a word for any. */
  readonly isName: boolean;
  /** Whether a memory that lacks it is about the line no less: a number, a general exception. */
  readonly isExtra: boolean;
}

/** Terms by which a memory of a failure is known. */
export interface FailureTerms {
  /** Codes and names of errors: one of them is enough. */
  readonly codes: readonly string[];
  /** Terms of each line that describes the error. */
  readonly lines: readonly (readonly Term[])[];
  /** Terms of the first sentence of each line that has several: the others advise. */
  readonly openings: readonly (readonly Term[])[];
  readonly phrases: Phrases;
}

const MOST_CODES = 6;
const MOST_TERMS = 16;

const CODES =
  /\bE[A-Z]{4,}\d*\b|\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b|\b[A-Z]{4,}(?==)|\b[A-Z]{1,6}-?\d{3,6}\b|\b[A-Z]\w*(?:Error|Exception|Panic|Fault|Failure|Killed|BackOff|Refused|Timeout|Interrupt)\b/g;
/** Codes that tell a failure wherever they stand: in the properties of an error, in a table of states. */
const CODES_ANYWHERE =
  /\bERR_[A-Z\d_]{3,}\b|\b[A-Z]\w+(?:BackOff|Killed)\b|\bstatus=[1-9]\d*\/[A-Z]+\b|(?<=\bcode: ["']?)[A-Z][A-Z\d_]{3,}\b/g;
/** Codes of so many failures that alone they tell nothing. */
const GENERAL =
  /^(?:(?:Type|Value|Key|Index|Name|Attribute|Runtime|Syntax|Reference|Range|Assertion|OS|IO|Import|ModuleNotFound|FileNotFound|NotImplemented|Permission|Connection\w*|Timeout|Unhandled|Aggregate)?(?:Error|Exception)|(?:NullPointer|IllegalState|IllegalArgument|Runtime|IO|FileNotFound|ClassNotFound|NumberFormat|Assertion)\w*(?:Exception|Error)|ENOENT|EACCES|EPERM|ERROR|FAILURE|EXIT|ELIFECYCLE|ERR_ASSERTION|(?:ERR_)?MODULE_NOT_FOUND|ERR_TEST_FAILURE|ERR_INVALID_ARG_TYPE|ERR_UNHANDLED_\w+|EJSONPARSE|E?404|HTTP_?\d*|RFC-?\d+|ISO-?\d+|UTF-?\d+|SHA-?\d+)$/;
/** Messages that name, without quotes, a missing file, command or module. */
const ABSENT =
  /(?:^|[:\s])([\w@./-]{3,60}): (?:(?:command )?not found|No such file)\b|(?<![\w/-])([\w/-]{1,80}\.\w{1,40})(?: file)? not found\b|\bdistribution found for ([\w@.-]+?)(?=[=<>~!\s]|$)|\b(?:[Nn]o module named|cannot find (?:module|package)|[Nn]o such table:?) ["'`]?([\w@./-]+)/gi;
const PACKAGE = /\bnode_modules\/((?:@[\w.-]+\/)?[\w.-]+)/g;
/** A message that names what was not found by a word of its own: a capital or a digit tells it from "symbol". */
const SOUGHT =
  /\b(?:(?:[Cc]ould|[Cc]an|did|does) ?(?:not|NOT)|[Cc]an't|[Cc]ouldn't|[Uu]nable to) (?:find|locate|resolve|load)(?: (?:an?|any|the|package|library|module|plugin|type|class|name))* ["'`]?(?=[\w.-]*[A-Z\d])([\w.-]{3,60})/g;
/** A package with the versions that are asked for. */
const VERSIONED = /(?<![\w@/-])(@?[a-z][\w./-]{1,80}?)(?:\[[\w,]{1,80}\])?(?:[<>~!=]=|[<>]|@[\^~]?(?=\d))\d/g;
/** Keys of JSON: only their values tell. */
const KEYS = /"[\w-]{1,40}": ?(?=["{[\d])/g;
/** Hosts of addresses, which stay where the address itself goes. */
const HOST =
  /\b(?:https?|wss?|tcp|ssh|postgres(?:ql)?|mysql|redis|amqps?|mongodb):\/\/(?:[^\s/@"']+@)?([\w.-]+(?::\d{2,5})?)[^\s"'<>)]*/g;
const NAMES =
  /["'`“]([^\s"'`“”]{2,60})["'`”]|(?<![\w/@-])@?\w[\w@-]*(?:(?:[_./-]|::|==)\w[\w@-]*)+|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+[A-Z]\w+\b|(?<![\w.:-])(?=[\w.-]*[A-Za-z]|\d+\.\d+\.)[\w.-]+:\d{2,5}\b/g;
/** Numbers such as codes and ports; line and column numbers of a file are left out. */
const NUMBERS = /(?<![\w.:,(#/-])\d{2,6}(?![\w.:)/-]|\s*ms\b)/g;
/** Line numbers, and the prefix of the shell or thread, before the message of an error. */
const PLACES =
  /^(?:thread '[^']*' (?:\(\d+\) )?panicked at \S+|Exception in thread "[^"]*"|(?:\/?[\w./-]*\/)?(?:ba|z|da)?sh(?:: line \d+|:\d+|: \d+)?:|\(eval\):\d+:)\s*|(?<=^|\s)[\w@./-]+\.[a-z]\w*(?::\d+(?:[:,]\d+)?|\(\d+,\d+\)):?|\b\w+:\/\/\/?\S+|(?<=[\s("'])\/[\w./-]+\/(?=[\w.-])|\b\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,]+Z?/g;
const SAYS_NOTHING = new Set(
  "error errors err failed failing failure fail fatal emerg cannot could can't couldn't with from this that have found find line file files directory function module modules process exit code undefined null true false not unable was were does did expected received got want the and for but has been while when into are such run running command help see try more name named value type object data path main any some its out called caused assertion left right directory values context read reading properties property".split(
    " ",
  ),
);
/** Weight of a name that no ordinary word is spelt like, and of a word in quotes. */
const AN_IDENTIFIER = 2;
const A_NAME = 1.5;
const IDENTIFIER = /^(?=.{5})(?:.*\w[_:/@]\w.*|@.*|.*[a-z][A-Z].*)$/;
const A_GENERAL = 0.5;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’]*/gu;
const WITHOUT_BLANKS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** First sentence of a line that has several. */
const OPENING = /^.{12,200}?[.;!](?=\s+[A-Z])/;
/** Names of languages and products that are spelt like identifiers: they are words as others. */
const PRODUCT =
  /^(?:JavaScript|TypeScript|CommonJS|NodeJS|GitHub|GitLab|YouTube|PostgreSQL|MySQL|SQLite|MongoDB|DynamoDB|GraphQL|WebSockets?|WebAssembly|PowerShell|OpenSSL|OpenSSH|OpenAPI|macOS|iOS|VSCode|PyPI|PyTorch|NumPy|DevTools|FastAPI|RabbitMQ|import\/export|e\.g|i\.e)$/i;

/** Extracts the terms that describe a failure from a command's output. */
export function failureTermsOf(error: string): FailureTerms {
  const { telling: told, plain } = readOutput(error);
  const lines = told.map((line) => line.replace(HOST, " $1 ").replace(KEYS, " ").replace(PLACES, " "));
  const elsewhere = plain.flatMap((line) => line.match(CODES_ANYWHERE) ?? []);
  const codes = once([...lines.flatMap((line) => line.match(CODES) ?? []), ...elsewhere]).filter(
    (code) => !GENERAL.test(code),
  );
  return {
    codes: codes.slice(0, MOST_CODES),
    lines: lines.map((line, at) => termsIn(line, codes, namedBy(PACKAGE, told[at] ?? ""))),
    openings: lines.flatMap((line) => OPENING.exec(line) ?? []).map((line) => termsIn(line, codes)),
    phrases: phrasesIn(lines, (word) => SAYS_NOTHING.has(word)),
  };
}

const namedBy = (form: RegExp, line: string): string[] =>
  [...line.matchAll(form)].flatMap(([, ...named]) => named.filter((each) => each !== undefined));

/** @param packages names that the line has in the path of a file */
function termsIn(line: string, codes: readonly string[], packages: readonly string[] = []): Term[] {
  const absent = [...namedBy(ABSENT, line), ...namedBy(SOUGHT, line), ...packages];
  const spelt = [...line.matchAll(NAMES)].map(([whole, inQuotes]) => inQuotes ?? whole);
  const quoted = [...absent, ...spelt, ...spelt.flatMap(lastPart), ...namedBy(VERSIONED, line)].filter(
    (name) => !PRODUCT.test(name),
  );
  const isGeneral = (name: string) => GENERAL.test(name.split(".").at(-1) ?? "");
  const names = once(quoted.map(bareName)).filter(
    (name) => name.length > 1 && !/^(?=([\d.]+))\1\w*$/.test(name) && !isGeneral(name) && !codes.includes(name),
  );
  const exact = new Set(absent.map(bareName));
  const general = once(line.match(CODES) ?? []).filter((code) => GENERAL.test(code));
  let rest = line;
  for (const each of [...quoted, ...codes, ...general]) rest = rest.replaceAll(each, " ");
  const spoken = new Set(names.map((name) => name.toLowerCase()));
  const words = once((rest.match(WORD) ?? []).flatMap(wordsIn)).filter(
    (word) =>
      (word.length > 2 || WITHOUT_BLANKS.test(word)) &&
      !/^\d+$/.test(word) &&
      !SAYS_NOTHING.has(word) &&
      !spoken.has(word) &&
      !STOP_WORDS.has(word),
  );
  const weightOfName = (name: string) => (exact.has(name) || IDENTIFIER.test(name) ? AN_IDENTIFIER : A_NAME);
  return [
    ...names.map((text) => ({ text, weight: weightOfName(text), isName: true, isExtra: false })),
    ...once(line.match(NUMBERS) ?? []).map((text) => ({ text, weight: 1, isName: false, isExtra: true })),
    ...general.map((text) => ({ text, weight: A_GENERAL, isName: false, isExtra: true })),
    ...words.map((text) => ({ text, weight: 1, isName: false, isExtra: false })),
  ].slice(0, MOST_TERMS);
}

/** The words of a run of characters without blanks, which is a sentence; any other run is a word. */
const wordsIn = (run: string): readonly string[] =>
  WITHOUT_BLANKS.test(run) ? termsOf(run).words.filter((word) => word.length > 1) : [run.toLowerCase()];

/** Last part of a qualified name: a class without its package, a test without its file. */
function lastPart(name: string): string[] {
  const last = /(?:::|\.)([A-Za-z_]\w{4,})$/.exec(name)?.[1];
  return last !== undefined && (name.includes("::") || /^[A-Z]/.test(last)) && IDENTIFIER.test(last) ? [last] : [];
}

/** A name without version, call parentheses and leading folders. */
function bareName(name: string): string {
  const plain = name.replace(/\(\w*\)$/, "").replace(/(?<=.)(?:@|==)[\d.*^~]+\w*$/, "");
  return /^(?:\/|\.|[a-z]+\/.*\/)/.test(plain) ? (plain.split("/").at(-1) ?? plain) : plain;
}

const once = (terms: readonly string[]): string[] => [...new Set(terms)];

const A_CODE = 3;
const ENOUGH = 2;
/** Share of a line that a memory has to hold: where it holds a name of it, and where words alone. */
const MOST = { named: 0.2, words: 0.45 } as const;

/** How much of a failure a memory names; 0 where it is too little to be about it. */
export function namedOf(content: string, { codes, lines, openings, phrases }: FailureTerms): number {
  const text = content.toLowerCase();
  const held = new Set(termsOf(content).words);
  const ofCodes = codes.filter((code) => isNamed(text, code.toLowerCase())).length;
  const isHeld = ({ text: term, isName }: Term) =>
    isNamed(text, term.toLowerCase()) || (!isName && termsOf(term).words.some((word) => held.has(word)));
  const ofLines = [...lines, ...openings].map((terms) => ofLine(terms, terms.filter(isHeld)));
  // Phrases are the costlier comparison, and add nothing to lines that are held anyway.
  const best = Math.max(0, ...ofLines) || sharedPhrase(content, phrases);
  const ofWords = best > 0 && namesAnother(content, phrases) ? 0 : best;
  return A_CODE * ofCodes + ofWords;
}

function ofLine(terms: readonly Term[], held: readonly Term[]): number {
  const [all, sum] = [weightOf(terms.filter(({ isExtra }) => !isExtra)), weightOf(held)];
  if (held.some(({ weight }) => weight >= AN_IDENTIFIER)) return sum;
  const isNamedThere = held.some(({ isName }) => isName);
  const isAll = isNamedThere && sum >= all;
  return isAll || (sum >= ENOUGH && sum >= (isNamedThere ? MOST.named : MOST.words) * all) ? sum : 0;
}

const weightOf = (terms: readonly Term[]): number => terms.reduce((sum, { weight }) => sum + weight, 0);

const SUFFIX = 10;
/** Length from which a name is the same with and without the suffix of an exception. */
const LONG_NAME = 8;

/** Whether a text contains a name that is not part of a longer one. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (/\w/.test(text[at - 1] ?? " ")) continue;
    const rest = text.slice(at + name.length, at + name.length + SUFFIX);
    if (!/^\w/.test(rest) || (name.length >= LONG_NAME && /^(?:exception|error)\b/.test(rest))) return true;
  }
  return false;
}
