import { isAscii } from "../text/characters.ts";

// English, with or without its apostrophe.
const NEGATION = wholeWord(
  "not|no|never|none|nothing|nobody|nowhere|neither|nor|without|cannot|avoid|avoids|forbidden|prohibited|" +
    "(?:do|does|did|is|are|was|were|ca|wo|would|should|could|must|has|have|had|need)n['’]?t",
);
// Japanese, Chinese and Korean by the morphemes that deny.
const NEGATIONS = [
  /な(?:い|く|かった|ければ|し)|ません|ずに|ぬ(?=[、。\s]|$)|ず(?=[、。\s]|$)/gu,
  /不|没|沒|无|無|未|勿|莫|非(?!常)|禁|别(?![的人])/gu,
  /(?<!\p{L})(?:안|못)(?=[\s\p{L}])|않|없|아니|지\s?마|금지|불가/gu,
];

/** Counts the negations of a text. @param text in NFKC. */
export function negationsIn(text: string): number {
  const english = timesIn(text, NEGATION(text));
  return isAscii(text) ? english : NEGATIONS.reduce((count, pattern) => count + timesIn(text, pattern), english);
}

/** A text without the words that deny. @param text in NFKC. */
export function withoutNegations(text: string): string {
  const plain = text.replace(NEGATION(text), " ");
  return isAscii(text) ? plain : NEGATIONS.reduce((rest, pattern) => rest.replace(pattern, " "), plain);
}

const timesIn = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Words that turn a sentence around when one takes the other's place. The second side is looked for first. */
const PAIRS: readonly (readonly [one: string, other: string])[] = [
  [
    "enabl(?:e|es|ed|ing)|turn(?:s|ed)? on|switch(?:es|ed)? on",
    "disabl(?:e|es|ed|ing)|turn(?:s|ed)? off|switch(?:es|ed)? off",
  ],
  ["on", "off"],
  ["true|yes", "false|no"],
  [
    "allow(?:s|ed|ing)?|permit(?:s|ted)?|accept(?:s|ed)?|grant(?:s|ed)?",
    "den(?:y|ies|ied|ying)|forbid(?:s|den)?|reject(?:s|ed)?|refus(?:e|es|ed)|block(?:s|ed)?",
  ],
  ["before", "after"],
  ["add(?:s|ed|ing)?|insert(?:s|ed)?|creat(?:e|es|ed|ing)", "remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|drop(?:s|ped)?"],
  ["always", "never"],
  ["min|minimum|minimal", "max|maximum|maximal"],
  ["at least|more than|above|over|greater", "at most|less than|below|under|fewer|smaller"],
  ["includ(?:e|es|ed|ing)", "exclud(?:e|es|ed|ing)"],
  ["sync|synchronous|synchronously", "async|asynchronous|asynchronously"],
  ["public|publicly", "private|privately"],
  ["required|mandatory|requires", "optional|optionally"],
  [
    "increas(?:e|es|ed|ing)|rais(?:e|es|ed)|up|grow(?:s|n)?",
    "decreas(?:e|es|ed|ing)|lower(?:s|ed)?|reduc(?:e|es|ed)|down|shrink(?:s)?",
  ],
  ["open(?:s|ed)?", "clos(?:e|es|ed)"],
  ["start(?:s|ed|ing)?|begin(?:s)?", "stop(?:s|ped|ping)?|end(?:s|ed)?"],
  ["success(?:ful|fully)?|succeed(?:s|ed)?|pass(?:es|ed)?", "failure|fail(?:s|ed|ing)?"],
  ["internal|internally", "external|externally"],
  ["local|locally", "remote|remotely"],
  ["read(?:s|ing)?", "writ(?:e|es|ing|ten)"],
  ["mutable", "immutable"],
  ["first", "last"],
  ["left", "right"],
  ["safe|safely", "unsafe|dangerous"],
  ["fast|faster", "slow|slower"],
  ["manual|manually", "automatic|automatically"],
  ["encrypt(?:s|ed)?", "decrypt(?:s|ed)?|plaintext"],
  ["upgrad(?:e|es|ed)", "downgrad(?:e|es|ed)"],
  ["ascending|asc", "descending|desc"],
];

const CJK_PAIRS: readonly (readonly [one: string, other: string])[] = [
  ["有効", "無効"],
  ["許可", "禁止|拒否"],
  ["追加", "削除|除去"],
  ["作成", "削除"],
  ["前", "後"],
  ["開始", "停止|終了"],
  ["公開", "非公開"],
  ["必須", "任意|不要"],
  ["最大", "最小"],
  ["同期", "非同期"],
  ["増やす|増加", "減らす|減少"],
  ["以上", "以下|未満"],
  ["成功", "失敗"],
  ["内部", "外部"],
  ["常に|必ず", "決して|絶対に"],
  ["オン", "オフ"],
  ["読み", "書き"],
  ["启用|啟用|开启|開啟", "禁用|停用|关闭|關閉"],
  ["允许|允許", "禁止|拒绝|拒絕"],
  ["添加|增加|新增", "删除|刪除|移除|减少"],
  ["之前|以前", "之后|之後|以后|以後"],
  ["必须|必須|必填", "可选|可選|选填"],
  ["同步", "异步|異步|非同步"],
  ["公开|公開", "私有"],
  ["打开|打開", "关闭|關閉"],
  ["开始|開始", "停止|结束|結束"],
  ["总是|總是|始终", "从不|從不"],
  ["内部|內部", "外部"],
  ["成功", "失败|失敗"],
  ["本地", "远程|遠程"],
  ["至少", "至多|最多"],
  ["활성화", "비활성화"],
  ["허용", "거부|차단|금지"],
  ["추가", "삭제|제거"],
  ["이전|전에", "이후|후에"],
  ["필수", "선택"],
  ["최대", "최소"],
  ["동기", "비동기"],
  ["공개", "비공개"],
  ["항상", "절대"],
  ["시작", "중지|종료"],
  ["성공", "실패"],
  ["내부", "외부"],
  ["켜", "끄|꺼"],
  ["이상", "이하|미만"],
  ["증가", "감소"],
];

/** Two opposites. */
interface Poles {
  /** Beginnings of the words on either side, in lower case. */
  readonly beginnings: readonly string[];
  readonly one: Pattern;
  readonly other: Pattern;
}

/** The expression that fits a text, made when the first such text is read. */
type Pattern = (text: string) => RegExp;

const polesOf = ([one, other]: readonly [string, string], toPattern: (alternatives: string) => Pattern): Poles => ({
  // Endings stand in groups, and no group in another.
  beginnings: `${one}|${other}`
    .replace(/\(\?:[^)]*\)\??/g, "*")
    .split("|")
    .map((each) => each.replace(/\*.*/, "")),
  one: toPattern(one),
  other: toPattern(other),
});

const allPoles = once((): readonly Poles[] => [
  ...PAIRS.map((pair) => polesOf(pair, wholeWord)),
  ...CJK_PAIRS.map((pair) => polesOf(pair, anywhere)),
]);

/** Beginnings of all opposites by their first character, each with the place of its pair. */
const beginningsByFirst = once(() =>
  Map.groupBy(
    allPoles().flatMap(({ beginnings }, nth) => beginnings.map((beginning) => ({ beginning, nth }))),
    ({ beginning }) => beginning.charCodeAt(0),
  ),
);

/** Places of the pairs of which a word may begin in a text: one walk through it, with no expression. */
function polesBegunIn(text: string): ReadonlySet<number> {
  const lower = text.toLowerCase();
  const byFirst = beginningsByFirst();
  const found = new Set<number>();
  let isInWord = false;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    // Within an English word none begins.
    if (!isInWord)
      for (const { beginning, nth } of byFirst.get(code) ?? []) if (lower.startsWith(beginning, at)) found.add(nth);
    isInWord = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  }
  return found;
}

/** How often either side of each pair of opposites occurs, by the place of the pair; none is said that does not occur. */
type PoleCounts = ReadonlyMap<number, readonly [others: number, ones: number]>;

const NONE = [0, 0] as const;

/**
 * Counts the opposites of a text. Expressions are compiled when first needed: all at once would cost a process that
 * starts, or a prompt, 25 ms.
 * @param text in NFKC
 */
export function polesIn(text: string): PoleCounts {
  const counts = new Map<number, readonly [number, number]>();
  for (const nth of polesBegunIn(text)) {
    const { one, other } = allPoles()[nth] as Poles;
    let others = 0;
    // `非同期` holds `同期`: what counted for one side does not count for the other.
    const rest = text.replace(other(text), () => {
      others += 1;
      return " · ";
    });
    counts.set(nth, [others, timesIn(rest, one(text))]);
  }
  return counts;
}

/** Whether one text says a word where the other says its opposite. */
export const isSwapped = (a: PoleCounts, b: PoleCounts): boolean => swappedIn(a, b).length > 0;

/** Pairs of which one text says one side where the other says the other. */
function swappedIn(a: PoleCounts, b: PoleCounts): number[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((nth) => {
    const [inA, inB] = [a.get(nth) ?? NONE, b.get(nth) ?? NONE];
    return (inA[0] - inB[0]) * (inA[1] - inB[1]) < 0;
  });
}

/**
 * Two texts without the opposites by which one turns the other around; undefined when there are none.
 * @param a and @param b in NFKC.
 */
export function withoutOpposites(a: string, b: string): { readonly a: string; readonly b: string } | undefined {
  const swapped = swappedIn(polesIn(a), polesIn(b)).sort((x, y) => x - y);
  if (swapped.length === 0) return undefined;
  let rest = { a, b };
  for (const nth of swapped) {
    const { one, other } = allPoles()[nth] as Poles;
    const without = (text: string) => text.replace(other(text), " ").replace(one(text), " ");
    rest = { a: without(rest.a), b: without(rest.b) };
  }
  return rest;
}

function wholeWord(alternatives: string): Pattern {
  // An expression without Unicode's tables compiles in a tenth of the time and matches ASCII text equally.
  const plain = once(() => new RegExp(`(?<![a-z0-9])(?:${alternatives})(?![a-z0-9])`, "gi"));
  const any = once(() => new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, "giu"));
  return (text) => (isAscii(text) ? plain() : any());
}

function anywhere(alternatives: string): Pattern {
  return once(() => new RegExp(alternatives, "gu"));
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
