const URL_TEXT = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s<>"'`）」』、。]+/giu;
const QUOTED =
  /"([^"\n]{1,200})"|“([^“”\n]{1,200})”|`([^`\n]{1,200})`|「([^「」\n]{1,200})」|『([^『』\n]{1,200})』|«([^«»\n]{1,200})»|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu;
const FLAG = /(?<![\w-])--?[A-Za-z][\w-]*/g;
const TOKEN = /[A-Za-z0-9_$@~][\w$@~]*(?:[.\-/\\:#+]+[\w$@~]+)*/g;
const NUMBER = /\d+(?:[.,:/-]\d+)*\s?%?/g;
// A name inside a sentence; at its start every word is written large.
const NAME = /(?<=[\p{Ll}\p{N},;:)]\s)\p{Lu}[\p{L}\p{M}'’-]*/gu;
const KATAKANA = /[\p{Script=Katakana}ー]{2,}/gu;
const CJK_NUMERAL =
  /[〇零一二三四五六七八九十百千万億两兩]+(?=[\s]?(?:個|回|件|台|人|日|月|年|時|分|秒|つ|本|名|次|个|天|小时|倍|号|番|階|層|层|条))/gu;
const WORD = /(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/gu;

const NUMBER_WORDS: ReadonlySet<string> = new Set(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion " +
    "once twice half double triple first second third fourth fifth last daily weekly monthly yearly hourly " +
    "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열 첫째 둘째 셋째"
  ).split(" "),
);

const UNITS: readonly (readonly [unit: string, spelled: RegExp])[] = [
  ["ms", /^(?:ms|msecs?|milliseconds?|ミリ秒|毫秒|밀리초)(?![a-z])/i],
  ["min", /^(?:mins?|minutes?|分钟|分鐘|分間|分|분)(?![a-z])/i],
  ["s", /^(?:s|secs?|seconds?|秒|초)(?![a-z])/i],
  ["h", /^(?:h|hrs?|hours?|時間|小时|小時|時|시간|시)(?![a-z])/i],
  ["d", /^(?:d|days?|日間|日|天|일)(?![a-z])/i],
  ["w", /^(?:w|weeks?|週間|週|周|주)(?![a-z])/i],
  ["mo", /^(?:months?|か月|ヶ月|月|个月|개월|월)(?![a-z])/i],
  ["y", /^(?:y|yrs?|years?|年|년)(?![a-z])/i],
  ["kb", /^(?:ki?b)(?![a-z])/i],
  ["mb", /^(?:mi?b)(?![a-z])/i],
  ["gb", /^(?:gi?b)(?![a-z])/i],
  ["tb", /^(?:ti?b)(?![a-z])/i],
];

/** Length of a text in which the longest unit ends, with what may stand before and after it. */
const MAX_UNIT = 20;

/**
 * Extracts the facts that two texts must share before one may replace the other: numbers with their units, versions, dates,
 * quoted strings, addresses, paths, identifiers and names; each as often as it occurs, in one order.
 */
export function factsOf(text: string): readonly string[] {
  const facts: string[] = [];
  let rest = text.normalize("NFKC");
  const take = (pattern: RegExp, read: (match: RegExpMatchArray) => string | undefined) => {
    rest = rest.replace(pattern, (...args) => {
      const groups = args.filter((arg) => typeof arg === "string" || arg === undefined) as RegExpMatchArray;
      const fact = read(groups);
      if (fact === undefined) return groups[0] as string;
      facts.push(fact);
      return " · ";
    });
  };
  take(URL_TEXT, ([url]) => `url ${String(url).replace(/(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/, "")}`);
  take(QUOTED, (match) => `quote ${match.slice(1, 8).find((inner) => inner !== undefined) ?? ""}`.trim());
  take(FLAG, ([flag]) => `flag ${flag}`);
  for (const name of rest.match(NAME) ?? []) facts.push(`name ${name.replace(/['’]s$/, "").toLowerCase()}`);
  take(TOKEN, ([token]) => identifierIn(String(token)));
  for (const { 0: number, index } of rest.matchAll(NUMBER)) {
    const end = index + number.length;
    facts.push(numberAt(number, rest.slice(end, end + MAX_UNIT)));
  }
  for (const [word] of rest.matchAll(WORD)) {
    const plain = word.toLowerCase();
    if (NUMBER_WORDS.has(plain)) facts.push(`word ${plain}`);
  }
  for (const [numeral] of rest.matchAll(CJK_NUMERAL)) facts.push(`numeral ${numeral}`);
  for (const [word] of rest.matchAll(KATAKANA)) facts.push(`katakana ${word.replace(/ー+$/, "")}`);
  return facts.sort();
}

/** Undefined for what is an ordinary word, or a number: those are read with their unit. */
function identifierIn(token: string): string | undefined {
  if (!/[A-Za-z]/.test(token) || /^\d+(?:[.,]\d+)*[A-Za-z]{1,12}$/.test(token)) return undefined;
  const isIdentifier =
    /[_$@/\\\d]|::|[.#+:]\w/.test(token) ||
    /[a-z][A-Z]/.test(token) ||
    /^[A-Z]{2,}s?$/.test(token) ||
    /[A-Z]{2}[a-z]/.test(token);
  return isIdentifier ? `identifier ${token}` : undefined;
}

function numberAt(number: string, after: string): string {
  const plain = number.replace(/\s/g, "");
  const following = after.replace(/^[\s-]/, "");
  return `number ${plain}${unitAt(following)?.name ?? ""}`;
}

/** The unit that a text begins with, by one name for all its spellings; undefined where it begins with none. */
export function unitAt(text: string): { readonly name: string; readonly length: number } | undefined {
  for (const [name, spelled] of UNITS) {
    const found = spelled.exec(text);
    if (found) return { name, length: found[0].length };
  }
  return undefined;
}
