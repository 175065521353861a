import { isAscii } from "../text/characters.ts";
import { type Alignment, align, type Slot, weightOf } from "./alignment.ts";
import { isEnough, wordHashes } from "./fingerprint.ts";
import { isSwapped, negationsIn, polesIn, withoutNegations, withoutOpposites } from "./polarity.ts";
import { readStatement, type Script, type Statement, sentencesOf, type Word } from "./statement.ts";

/** Reason for a contradiction: a negation, an opposite, or another value. */
export type Reason = "negation" | "opposite" | "value";

export interface StatementConflict {
  readonly reason: Reason;
  /** The two contradicting sentences. */
  readonly a: string;
  readonly b: string;
}

/** Least weight of common words. */
const LEAST_SHARED = 2;
/** Share of the longer sentence that the shorter one must also cover. */
const LEAST_COVERED = 0.4;
/** Share of the shorter sentence's words that must be common before two sentences are aligned. */
const NEAR = 0.25;

/** The first two sentences of two texts about one subject that contradict each other; undefined if there are none. */
export function contradiction(a: string, b: string): StatementConflict | undefined {
  const [ones, all] = [claimsOf(a), claimsOf(b)];
  // Sentences that are in both texts cannot differ.
  const own = new Set(ones.map(({ text }) => text));
  const others = all.filter(({ text }) => !own.has(text));
  const said = new Set(all.map(({ text }) => text));
  for (const one of ones) {
    if (said.has(one.text)) continue;
    const other = one.nearestOf(others);
    const reason = other && reasonBetween(one, other);
    if (reason) return { reason, a: one.text, b: other.text };
  }
  return undefined;
}

/** A sentence with its parsed parts, cached for comparisons with many others. */
class Claim implements Statement {
  readonly text: string;
  readonly #hashes: ReadonlySet<number>;
  #words: readonly Word[] | undefined;
  #roots: ReadonlySet<string> | undefined;
  #isTold: boolean | undefined;

  constructor(text: string) {
    this.text = text;
    this.#hashes = wordHashes(text);
  }

  get words(): readonly Word[] {
    this.#words ??= readStatement(this.text).words;
    return this.#words;
  }

  /** The other sentence with most common words, by hashed words, which is fast. Undefined if none is near. */
  nearestOf(others: readonly Claim[]): Claim | undefined {
    let nearest: Claim | undefined;
    let most = NEAR;
    for (const other of others) {
      const share = this.#shareWith(other);
      if (share > most) [most, nearest] = [share, other];
    }
    return nearest;
  }

  #shareWith(other: Claim): number {
    const [few, many] = this.#hashes.size < other.#hashes.size ? [this, other] : [other, this];
    let shared = 0;
    for (const hash of few.#hashes) shared += Number(many.#hashes.has(hash));
    return isEnough(shared, few.#hashes.size) ? shared / few.#hashes.size : 0;
  }

  /** Whether it reports the past or an addition, which contradicts nothing. */
  get isTold(): boolean {
    this.#isTold ??= PAST.test(this.text) || ADDED.test(this.text);
    return this.#isTold;
  }

  sharedWith({ words }: Statement): number {
    let shared = 0;
    for (const { root, weight } of words) if (this.roots.has(root)) shared += weight;
    return shared;
  }

  get roots(): ReadonlySet<string> {
    this.#roots ??= new Set(this.words.map(({ root }) => root));
    return this.#roots;
  }

  /** Weight of the words that another sentence lacks; numbers are ignored, because several may have changed. */
  besides({ roots }: Claim): number {
    let own = 0;
    for (const { root, weight, kind } of this.words) if (kind !== "number" && !roots.has(root)) own += weight;
    return own;
  }
}

// Number of parsed texts to keep: a save compares one text with several others, often the same as before.
const MOST_READ = 16;
const read = new Map<string, readonly Claim[]>();
// Code, headings and table rows state nothing.
const NO_PROSE =
  /[{}]|=>|\w\(|\)\.|<\/?[a-z]|^\s*(?:#{1,6}\s|[|>]|```)|(?:const|let|var|import|export|return|await)\s+[\w*{]/;

function claimsOf(text: string): readonly Claim[] {
  const known = read.get(text);
  if (known) return known;
  const claims = sentencesOf(text).flatMap((sentence) => (NO_PROSE.test(sentence) ? [] : [new Claim(sentence)]));
  read.set(text, claims);
  for (const [oldest] of read) {
    if (read.size <= MOST_READ) break;
    read.delete(oldest);
  }
  return claims;
}

function reasonBetween(one: Claim, other: Claim): Reason | undefined {
  const [a, b] = [one.text, other.text];
  if (a === b || !mayBeAboutOne(one, other) || one.isTold !== other.isTold) return undefined;
  const rest = mayBeSwapped(one, other) ? withoutOpposites(a, b) : undefined;
  if (rest) {
    const isOne = !isDenied(rest.a, rest.b) && isOneClaim(rest.a, rest.b) && !isOfTwoThings(one, other);
    return isOne ? "opposite" : undefined;
  }
  if (isDenied(a, b)) return isOneClaim(withoutNegations(a), withoutNegations(b)) ? "negation" : undefined;
  return hasOtherValue(one, other) ? "value" : undefined;
}

/**
 * Most weight in which two contradicting sentences may differ: by a value, or by the words of a negation or an
 * opposite.
 */
const MOST_TURNED = 4;

/** Upper bound of `isAboutOne`, to skip the alignment of unrelated sentences. */
function mayBeAboutOne(one: Claim, other: Claim): boolean {
  const shared = one.sharedWith(other);
  if (shared === 0) return false;
  const [inOne, inOther] = [one.besides(other), other.besides(one)];
  const more = Math.max(0, Math.max(inOne, inOther) - MOST_TURNED);
  return Math.min(inOne, inOther) < MOST_TURNED && shared / (shared + more) >= LEAST_COVERED;
}

const PAST =
  /\b(?:until|formerly|previously|used to|no longer|originally|in the past|was replaced|migrated from)\b|以前は|かつて|もともと|以前(?:使|用|采)|曾经|曾經|原来|原來|예전|과거|이전에는/iu;
const ADDED = /\b(?:also|as well|additionally|in addition)\b|또한|さらに|また、|此外|另外|还(?:支持|可以|有)/iu;

/** Whether the words of only one sentence include opposites; words in both cancel out. */
function mayBeSwapped({ text: a }: Claim, { text: b }: Claim): boolean {
  const isSpaced = isAscii(a) && isAscii(b);
  return isSpaced ? isSwapped(polesIn(beside(a, b)), polesIn(beside(b, a))) : isSwapped(polesIn(a), polesIn(b));
}

/** Words of a text that another lacks, each with the word before it. */
function beside(text: string, other: string): string {
  const words = text.split(" ");
  const known = new Set(other.split(" "));
  return words.flatMap((word, at) => (known.has(word) ? [] : [`${words[at - 1] ?? ""} ${word}`])).join(" · ");
}

const isDenied = (a: string, b: string): boolean => (negationsIn(a) - negationsIn(b)) % 2 !== 0;

/** Whether two sentences, without their negation or opposite, describe the same thing in the same place. */
function isOneClaim(a: string, b: string): boolean {
  const alignment = align(readStatement(a), readStatement(b));
  const [onlyA, onlyB] = extras(alignment, () => true);
  // "Telemetry is on" shares one word with its opposite, and neither says more.
  if (onlyA.length + onlyB.length === 0) return alignment.shared > 0;
  return isAboutOne(alignment.shared, onlyA, onlyB);
}

/** Whether they describe two things, such as the read timeout and the write timeout. */
function isOfTwoThings(one: Statement, other: Statement): boolean {
  const replaced = align(one, other).slots.filter(({ a, b }) => a.length > 0 && b.length > 0);
  const [slot] = replaced;
  if (replaced.length !== 1 || slot === undefined || PREDICATE.test(slot.a.at(-1)?.after ?? "")) return false;
  return one.words
    .slice(slot.aFrom + slot.a.length)
    .some(({ before, script }) => script === "latin" && PREDICATE.test(before));
}

function isAboutOne(shared: number, onlyA: readonly Word[], onlyB: readonly Word[], least = LEAST_SHARED): boolean {
  const [less, more] = [weightOf(onlyA), weightOf(onlyB)].sort((x, y) => x - y) as [number, number];
  if (shared < least || less >= 1 || shared / (shared + more) < LEAST_COVERED) return false;
  return ![...onlyA, ...onlyB].some(isPlace);
}

function extras({ slots }: Alignment, isMeant: (slot: Slot) => boolean): [Word[], Word[]] {
  const meant = slots.filter(isMeant);
  return [meant.flatMap(({ a }) => a), meant.flatMap(({ b }) => b)];
}

/** Words for environments, in which the same thing may have another value. */
const PLACES = new Set(
  (
    "production prod staging stage development dev test testing tests local locally ci qa preview sandbox demo canary linux " +
    "windows macos mac darwin android ios arm64 x64 browser mobile desktop " +
    "本番 検証 開発 ステージング テスト ローカル 운영 스테이징 개발 테스트 로컬"
  ).split(" "),
);
const isPlace = ({ root }: Word): boolean => PLACES.has(root) || PLACE_ROOTS.test(root);
const PLACE_ROOTS = /^(?:product|stage|develop|test|local|window|mobil)$/;
const CHINESE_PLACE = /(?:生产|测试|开发|预发|生產|測試|開發|本地)(?:环境|環境)/u;

function hasOtherValue(one: Claim, other: Claim): boolean {
  const least = isOfSole(one) && isOfSole(other) ? 1 : LEAST_SHARED;
  if (one.sharedWith(other) < least || ![one, other].every(saysSomething)) return false;
  if (CHINESE_PLACE.exec(one.text)?.[0] !== CHINESE_PLACE.exec(other.text)?.[0]) return false;
  const alignment = align(one, other);
  const replaced = alignment.slots.filter(({ a, b }) => a.length > 0 && b.length > 0);
  const values = replaced.map((slot) => valueIn(slot, one, other));
  if (values.length === 0 || values.some((value) => value === undefined)) return false;
  // Several numbers may change at once, but two changed names mean two things.
  if (values.length > 1 && values.some((value) => value?.kind !== "number")) return false;
  const [insertedA, insertedB] = extras(alignment, ({ a, b }) => a.length === 0 || b.length === 0);
  const onlyA = [...insertedA, ...values.flatMap((value) => value?.restA ?? [])];
  const onlyB = [...insertedB, ...values.flatMap((value) => value?.restB ?? [])];
  if (alignment.shared < LEAST_SHARED && values.some((value) => value?.kind === "plain")) return false;
  return isAboutOne(alignment.shared, onlyA, onlyB, least);
}

/** "The database is PostgreSQL" shares only its subject with a statement that names another one. */
const isOfSole = ({ text }: Statement): boolean => SOLE.test(text) || CHINESE_SOLE.test(text);
const SOLE =
  /^(?:(?:the|our|its)\s+)?(?:database|db|language|owner|framework|region|cloud|provider|broker|linter|formatter|bundler|runner|port|version|license|licence|backend|registry|scheduler|queue|cache)\s*(?:\b(?:is|are)\b|[:=])/i;
const CHINESE_SOLE =
  /^(?:我们的|我們的)?(?:数据库|資料庫|端口|语言|語言|框架|版本|负责人|負責人)\s*(?:是|为|為|[:：=])/u;

/** A heading or a name states nothing. In other languages than English the words around a value decide. */
const saysSomething = (statement: Statement): boolean =>
  !isAscii(statement.text) || predicateAt(statement) !== undefined;

interface ComparedValue {
  readonly kind: Word["kind"];
  /** Words beside the value that only one side has. */
  readonly restA: readonly Word[];
  readonly restB: readonly Word[];
}

/** The value on either side of a differing position; undefined if they describe different things. */
function valueIn(slot: Slot, one: Statement, other: Statement): ComparedValue | undefined {
  const [a, b] = [phraseOf(slot.a), phraseOf(slot.b)];
  for (const kind of ["number", "name"] as const) {
    const [inA, inB] = [a.find((word) => word.kind === kind), b.find((word) => word.kind === kind)];
    if (!inA || !inB) continue;
    // "PostgreSQL 15" and "MySQL 8" differ in the name, not in the number.
    if (kind === "number" && isVersion(inA, a) && isVersion(inB, b)) continue;
    const isMeasure = inA.hasUnit && inB.hasUnit;
    const before = one.words[slot.aFrom + slot.a.indexOf(inA) - 1];
    if (!isMeasure && (isSubject(slot, one, other) || isNumbered(inA, before))) return undefined;
    if (kind === "name" && (takesSeveral(one) || takesSeveral(other) || isScope(slot, one))) return undefined;
    return { kind, restA: without(inA, slot.a), restB: without(inB, slot.b) };
  }
  if (takesSeveral(one) || takesSeveral(other)) return undefined;
  if (![a, b].every((words) => isShort(words)) || a.length !== slot.a.length || b.length !== slot.b.length)
    return undefined;
  if ([...a, ...b].some(isPlace) || isSubject(slot, one, other) || !isObject(slot, one, other)) return undefined;
  return { kind: "plain", restA: [], restB: [] };
}

/** Whether it is a number directly after a name. */
const isVersion = (word: Word, words: readonly Word[]): boolean =>
  word.kind === "number" && words[words.indexOf(word) - 1]?.kind === "name";

/** Words beside a value; a version belongs to its name. */
const without = (value: Word, words: readonly Word[]): Word[] =>
  words.filter((word, nth) => word !== value && !(words[nth - 1] === value && isVersion(word, words)));

/** Words of a position up to the next comma. */
function phraseOf(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex(({ before }, nth) => nth > 0 && /[,，、(（]/u.test(before));
  return end === -1 ? words : words.slice(0, end);
}

const isShort = (words: readonly Word[]): boolean => weightOf(words) <= 2.5 && words.length <= 5;

// Nouns that a number distinguishes, such as a port or step.
const NUMBERED = new Set(
  (
    "step phase issu note exampl item task bug fig figur pr request ticket chapter part day shard replica case section line " +
    "row mileston sprint tabl adr rfc"
  ).split(" "),
);
const isNumbered = (word: Word, before: Word | undefined): boolean =>
  word.root.startsWith("#") || /[#第]$/u.test(word.before) || NUMBERED.has(before?.root ?? "");

// Verbs that may have several objects: another object contradicts none.
const SEVERAL =
  /\b(?:supports?|accepts?|includes?|contains?|handles?|provides?|adds?|added|removed|removes?|fixe[sd]|reads|exports?|imports?|depends|knows|reviews?)\b|支持|対応|支援|包含|含む|지원|포함/iu;
const takesSeveral = ({ text }: Statement): boolean => SEVERAL.test(text);

/** Whether a position states the scope of a statement. */
function isScope({ aFrom }: Slot, { words }: Statement): boolean {
  return /\b(?:for|of|when|if|because|during|per|under)\s+(?:the\s+|our\s+|a\s+|an\s+)?[`"']?$/i.test(
    words[aFrom]?.before ?? "",
  );
}

const PREDICATE = /\b(?:is|are|was|were|be|must|should|can|cannot|may|will|has|have|had)\b|[:：=]|是|在|为|為|由/iu;
const VERBS = new Set(
  (
    "us run listen live need take happen own store keep write read pin deploy send expir wait retri cach log return start " +
    "stop call build publish host hold save load requir default point connect bind serv set go come lock limit releas " +
    "review reject accept log put add remov have 用 存 设 設 需 必 可 允 禁 放 写 寫 读 讀"
  ).split(" "),
);

/** Whether the statements differ in their subject, not in their predicate. */
function isSubject({ a, b, aFrom, bFrom }: Slot, one: Statement, other: Statement): boolean {
  const after = a.at(-1)?.after ?? "";
  const script = a[0]?.script === "latin" ? (neighbour(one, aFrom)?.script ?? "latin") : a[0]?.script;
  return SUBJECT_BY_SCRIPT[script ?? "latin"]({ one, other, aFrom, bFrom, after, afterB: b.at(-1)?.after ?? "" });
}

const neighbour = ({ words }: Statement, at: number): Word | undefined =>
  words.find(({ script }, nth) => script !== "latin" && nth !== at);

interface Standing {
  readonly one: Statement;
  readonly other: Statement;
  readonly aFrom: number;
  readonly bFrom: number;
  readonly after: string;
  readonly afterB: string;
}

const isBeforePredicate = ({ one, other, aFrom, bFrom }: Standing): boolean =>
  aFrom < (predicateAt(one) ?? 0) && bFrom < (predicateAt(other) ?? 0);

const SUBJECT_BY_SCRIPT: Readonly<Record<Script, (standing: Standing) => boolean>> = {
  latin(standing) {
    // "PostgreSQL is our database" is a statement about the database.
    if (standing.aFrom === 0 && /^\s(?:is|are)\s(?:our|the)\s/i.test(standing.after)) return false;
    return isBeforePredicate(standing);
  },
  ja: ({ after }) => /^[`"'」』)）]?(?:は|が|の(?!で)|も|では|には)/u.test(after),
  ko: ({ after }) => /^[`"')]?(?:은|는|이(?!다|며|고|었)|가|의|에서는|에는)(?=\s|$)/u.test(after),
  zh: isBeforePredicate,
};

/** Index of the predicate; 0 if the statement begins with it, undefined if there is none. */
function predicateAt({ words }: Statement): number | undefined {
  for (const [nth, { before, root }] of words.entries()) {
    if (nth > 0 && PREDICATE.test(before)) return nth;
    if (VERBS.has(root)) return nth === 0 ? 0 : nth + 1;
  }
  return undefined;
}

// Roles that only one thing fills, so that another name contradicts.
const ROLE =
  /\b(?:manager|database|db|language|port|owner|branch|name|format|framework|library|tool|default|version|region|cloud|provider|engine|queue|broker|limit|timeout|runner|linter|formatter|bundler|server|host|path|directory|folder|file|license|licence|editor|protocol|scheduler|registry|base|backend|store|storage|cache|strategy|level|mode)\b/i;
/** Whether a word is an adjective or participle, which describes a state. */
const isState = ({ raw }: Word): boolean => /(?:ed|ing|able|ible|ive|al|ful|less|ous|ent|ant|y)$/i.test(raw);
const AT_PLACE =
  /\b(?:in|on|at|to|from|into|via|through|using|use|uses|called|named|by|as|prefer|prefers)\s+(?:the\s+|our\s+|a\s+|an\s+)?[`"']?$/i;
const EQUATED = /(?:\b(?:is|are)|[:：=])\s*(?:the\s+|a\s+|an\s+)?[`"']?$/i;
const CLAUSE_ENDS = /^[`"'.]?\s*(?:$|[,;:()]|(?:for|with|on|in|at|by|since|because|so|and|when)\b)/i;
const OBJECT_BEFORE = /(?:在|是|为|為|用|于|於|到|[:：=])$/u;
const OBJECT_AFTER = /^(?:に|で|へ|から|です|だ(?:$|[。、])|である|에|에서|로|으로|이다|입니다|$)/u;

/** Whether an ordinary word is the object of a statement. */
function isObject({ a, aFrom, b }: Slot, one: Statement, other: Statement): boolean {
  const [first, last, lastB] = [a[0], a.at(-1), b.at(-1)];
  if (!first || !last || !lastB) return false;
  if (first.script === "latin") {
    if (!CLAUSE_ENDS.test(last.after) || !CLAUSE_ENDS.test(lastB.after)) return false;
    if (EQUATED.test(first.before))
      return !isState(first) && !isState(b[0] ?? first) && ROLE.test(one.text) && ROLE.test(other.text);
    return (
      AT_PLACE.test(first.before) || one.words[aFrom - 1]?.root === "us" || one.words[aFrom - 1]?.root === "prefer"
    );
  }
  if (first.script === "zh") return OBJECT_BEFORE.test(first.before) && last.after.trim() === "";
  return OBJECT_AFTER.test(last.after.trimStart()) && OBJECT_AFTER.test(lastB.after.trimStart());
}
