import { effectiveLength } from "./noise.ts";

const CODE_BLOCK = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
const QUOTED_LINE = /^[^\S\n\r\u2028\u2029]*>.*$/gm;
const END =
  /(?<=[.!?]["'”’)]?)\s+(?=[\p{Lu}\p{Lo}`"'“‘(*-])|(?<=\p{L}{3}[!?]|(?<!\b(?:etc|incl|resp))\p{L}{2}[\p{L}\d`)]\.)\s+(?=(?:and|also|but|please|from now on|always|never|remember|btw|it['’]s)\s)|(?<=[。！？])/u;
const LIST_MARK = /^\s*(?:[-*•・]|\d{1,3}[.)、]|\[[ xX]\])\s+/;
const EMPHASIS = /\*\*|__/g;

/** Removes blocks of code and quoted lines. */
export const withoutCode = (text: string): string => text.replace(CODE_BLOCK, "\n").replace(QUOTED_LINE, "");

/** A line of a text, as its sentences. */
interface SplitLine {
  readonly isPoint: boolean;
  readonly sentences: readonly string[];
}

/** Splits a text into lines, and each into its sentences, without the marks of lists and emphasis; code and quotes are left out. */
export function linesIn(text: string): SplitLine[] {
  return withoutCode(text)
    .split("\n")
    .map((line) => ({
      isPoint: LIST_MARK.test(line),
      sentences: line
        .replace(LIST_MARK, "")
        .replace(LIST_MARK, "")
        .split(END)
        .map((part) => part.replace(EMPHASIS, "").replace(/\s+/g, " ").trim())
        .filter(Boolean),
    }))
    .filter(({ sentences }) => sentences.length > 0);
}

/** The sentences of each line. */
export const sentencesIn = (text: string): (readonly string[])[] => linesIn(text).map(({ sentences }) => sentences);

/** Reasons why a sentence is not taken although it has the form of a rule or a decision. */
export type SentenceReason = "question" | "reported" | "length" | "code" | "few_words" | "reassurance" | "bound";

const REASSURANCE =
  /^(?:no (?:problem|worries)|it['’]s (?:ok|fine))|心配し|気にし|慌て|遠慮し|不要(?:担心|紧|着急|介意|客气)|别(?:担心|急|介意|客气)|걱정|신경\s*쓰|부담\s*갖/iu;
const QUESTION =
  /[?？]\s*$|^(?:why|how|what|where|who|which|is|are|does|did|can|could|would|should (?:i|we)|don['’]t you)\b|[,;–—]\s*(?:why|how come|where|who|what (?:is|are|does|happens))\b|か[。！]?$|(?:吗|呢|么)[。！]?$|(?:까|까요|나요|가요|니)[.。]?$/iu;
const REPORTED =
  /\b(?:he|she|they|somebody|someone|docs?|documentation|error|log|message|it|customer|client|ticket|mail|boss|manager|bot) (?:just |also )?(?:said|says|told|tells|claims?|claimed|warn(?:s|ed)|writes?|wrote|asks?|asked|wants|demands?)\b|\baccording to\b|\b(?:i|we) (?:read|heard|saw|learned|learnt|was told|were told)\b|\b(?:people|some|many|everybody|everyone|someone) (?:say|says|said|claims?|told)\b|\btold me\b|\b(?:why|whether) (?:we|i|you|it|they) (?:should|must|never|always)\b|と(?:言|い)(?:っ|わ|う)|らしい|そうです|って(?:言|書)|聞い(?:た|て)|大家说|听说|有人说|据说|他说|她说|客户说|要求我们|写着|다들|들었|고\s*했|고\s*하(?:네|던|더)|다고|라고\s*(?:했|한|하|써)/iu;
const PAST = /\b(?:didn['’]t|never (?:did|was|were|had|went|got|saw|worked|happened|came)|was never|were never)\b/i;
const CODE =
  /[{};]\s*$|=>|^\s*(?:import|export|const|let|var|function|class|return|def|SELECT|\$|#!)\b|<\/?\w+>|\(\)\s*[{;]/;
const SHORT_WORDS = new Set(
  "a an the to of in on at it is and or for with by be as this that do not don't never always avoid please you your we our i me my use".split(
    " ",
  ),
);
export const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/*
 * Words that bind a sentence to a time, a task or a state that passes. "Before" and "after" alone are no such words: "run
 * the tests before you push" holds for good. Each language has its own: 先 is "first" in Chinese, and half of many a word
 * in Japanese.
 */
const BOUND = {
  latin:
    /\b(?:for (?:now|the moment|the time being|today|this(?! (?:repo|project|code|team|package))|a (?:while|bit|moment)|once)|until|till|unless (?:i|we)|not yet|yet|today|tonight|tomorrow|yesterday|this (?:evening|morning|afternoon|week|weekend|month|sprint|time|session|turn|pr|mr|branch|task|ticket|run|release|round|step|change|commit|once|one|first)|these (?:days|changes)|right now|at the moment|temporar\w+|current(?:ly)?|meanwhile|in the meantime|just (?:now|this|once)|(?:this|that|it|look|check|finish\w*) first|later|soon|next (?:week|step|time we|release|sprint)|still|already|anymore|any longer|while (?:i|we|you|the|it|he|she|they|my|our)\b|while (?:[\w’'-]+ ){1,3}(?:is|are) \w+ing\b|over the weekend|overnight|for the (?:rest|remainder|next|coming)\b|to be sure,|(?:in|of|for|to|on|from|with) this (?!(?:repo(?:sitory)?|project|code|code ?base|team|package|workspace|monorepo|company|org\w*|app(?:lication)?|service|library|folder|directory|product)\b)\w+|(?:in|of|for|to|on|with) (?:these|those)\b(?! (?:repos|projects)\b)|(?:these|those) (?:two|three|few|\d+)\b|in (?:\w+ ){1,2}(?:minutes?|hours?|days?)\b|i['’]m (?:on|in|at|off|out|away|busy|late|about)\b|(?:in|of|for|to) (?:this|these|that|your|the next) (?:file|function|test|class|module|page|component|table|line|tests|files|loop|query|method|question|answer|reply|response|request|message|summary)s?|as long as|before (?:i|we|the (?:demo|meeting|release|freeze|call|review)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|lunch)|after (?:i|we|this|that|the (?:demo|meeting|release|freeze|call|review))|during the (?:demo|meeting|release|freeze|call|migration)|by (?:monday|tuesday|wednesday|thursday|friday|noon|tomorrow|the end)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?!s)|wait(?:ing)?|so far|hold off|in a (?:minute|moment|bit)|now|(?<!\b(?:all|any|every)(?: \w+){1,3} |around |\bwhen(?:ever)? (?:you|we)\b.{1,60} |\bwe (?:always|never)\b.{0,120})here(?! in)|there(?!['’]s| is| are| was| were| must| should| will| may| can))\b/i,
  // Waiting for a person by name; names of products are rarely waited for so.
  named:
    /\b(?:while|once|before|after|until|unless) [A-Z][a-z]+(?: [A-Z][a-z]+)? (?:is|has|says?|comes?|gets?|signs?|returns?|approves?|confirms?|finish\w*)\b/,
  ja: /今は|今回|今日|今夜|今晩|今週|明日|昨日|さっき|先に|先ほど|まずは?|まだ|とりあえず|一旦|いったん|ひとまず|当面|しばらく|当分|までは?|終わるまで|この(?:修正|画面|関数|テスト|バグ|問題|ページ|PR|ブランチ|タスク|コミット|変更|作業|件|後|あと|セッション|リリース)|後で|あとで|今のところ|そろそろ|もう|(?:終わ|済ん|完了し|でき|直し|直っ)[っ]?[ただ]ら|忘れ(?:ず|ない)|現時点|中は|間は|前に(?:見|確認)/u,
  zh: /(?<!优)先(?!进|后|前)|暂时|暂且|目前|现在(?!起|开始)|当前|今天|今晚|明天|昨天|刚才|这次|本次|这一次|这回|还没|尚未|直到|为止|之前(?:不|别|先|一律|始终|一直|继续|仍)|等(?:我|他|她|你|到|下|会|会儿)|这个(?:PR|分支|任务|提交|改动|版本|会话)|稍后|回头|待会|马上|本周|这周|期间|\p{Script=Han}完(?![成全整善备美工])|回来|出差|休假|别忘|不要忘/u,
  ko: /일단|지금(?!부터)|이번|오늘|오늘밤|내일|어제|아직|까지|당분간|잠시|잠깐|우선|먼저|방금|나중에|현재|이\s?(?:PR|브랜치|작업|커밋|변경|세션|릴리스)|동안|전까지|곧|이따|끝(?:나|내)면|(?:완료|다 ?)되면|마치면|잊지/u,
} as const;

function isBound(text: string): boolean {
  if (BOUND.latin.test(text) || BOUND.named.test(text)) return true;
  if (/[\u3040-\u30ff]/.test(text)) return BOUND.ja.test(text);
  return BOUND.ko.test(text) || BOUND.zh.test(text);
}

const MIN_LENGTH = 20;
// A Chinese, Japanese or Korean character says as much as two and a half letters.
const CJK_WEIGHT = 2.5;
const MAX_LENGTH = 300;
const MIN_WORDS = 2;

/** Tells why a sentence that sounds like a rule or a decision is none to keep; undefined where it is one. */
export function refusalOf(text: string): SentenceReason | undefined {
  if (QUESTION.test(text)) return "question";
  if (REASSURANCE.test(text)) return "reassurance";
  if (REPORTED.test(text) || PAST.test(text)) return "reported";
  // "From now on" is the opposite of a bound.
  if (isBound(text.replace(FROM_NOW_ON, " "))) return "bound";
  if (CODE.test(text)) return "code";
  if (effectiveLength(text, CJK_WEIGHT) < MIN_LENGTH || Array.from(text).length > MAX_LENGTH) return "length";
  return contentWords(text) < MIN_WORDS ? "few_words" : undefined;
}

/** Forms of "from now on". */
export const FROM_NOW_ON =
  /\b(?:from (?:now|here|today) on(?:wards?)?|going forward(?! with\b)|in (?:the )?future|as of (?:now|today))\b|今後(?!の(?:予定|計画|方針|課題|展開|タスク|対応))は?|これから(?:は|も)?|以降(?:は)?|从(?:现在|今天|今)(?:起|开始|往后)?|以后(?!的?(?:计划|安排|任务))|今后(?!的?(?:计划|安排|任务))|往后|앞으로(?!의 ?(?:계획|일정|과제|방향|할 일))(?:는|도)?|지금부터(?:는)?|이제부터(?:는)?/giu;

/** Words that give a reason. */
export const GIVES_REASON =
  /\b(?:because|since|so that|due to|otherwise)\b|ため|ので|から[、。]|因为|由于|否则|때문|므로[ ,]|않으면/iu;

function contentWords(text: string): number {
  // Without blanks between them, two or three characters are a word.
  const cjk = CJK.test(text) ? Math.floor(effectiveLength(text) / 6) : 0;
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu) ?? [];
  return cjk + new Set(words.filter((word) => !CJK.test(word) && !SHORT_WORDS.has(word))).size;
}
