import { FROM_NOW_ON, withoutCode } from "../sentences.ts";

// Lines that are not typed into a prompt: one of them shows that something was pasted.
const FOREIGN_LINES: readonly RegExp[] = [
  // The head of a mail, and where an answer or a forwarded mail begins.
  /^(?:from|to|cc|bcc|subject|sent|date|reply-to|message-id|von|betreff|差出人|宛先|件名|送信(?:日時|者)|发件人|收件人|主题|抄送|发送时间|보낸\s?사람|받는\s?사람|제목|보낸\s?날짜)\s*[:：]\s*\S/iu,
  /^(?:on .{5,80} wrote:|-{2,}\s*(?:original|forwarded) message|begin forwarded message|.{1,40} wrote:\s*$|.{2,30}さんの?(?:書き込み|メッセージ)|.{1,30}写道[:：]|.{1,30}님이 (?:작성|보낸))/iu,
  // Salutations and endings of letters.
  /^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b[^.!?]{0,40}[,!:]?|.{1,20}(?:様|各位|御中)[、,。]?|.{0,12}(?:お世話になっ|お疲れ様です).*|(?:尊敬的|亲爱的|各位).{0,20}[:：,，]?|(?:你好|您好)[,，!！:：]?|안녕하(?:세요|십니까).*|.{1,15}(?:귀하|님께)[,.]?)\s*$/iu,
  /^(?:(?:best|kind|warm) (?:regards|wishes)|best,|regards|cheers,|sincerely|yours (?:sincerely|truly|faithfully)|(?:many )?thanks,)[,.!]?\s*(?:\S+\s*){0,2}$|^sent from my |^(?:敬具|以上、?よろしく|此致|敬礼|祝好|顺祝|.{1,15}(?:드림|올림)\s*$)/i,
  // Records, minutes and lists of requirements by their title.
  /^(?:\W{0,3})(?:(?:incident|status|bug|weekly|test) report|post-?mortem|retro(?:spective)?|meeting notes|minutes(?: of)?|release notes|change ?log|agenda|memo(?:randum)?|polic(?:y|ies)|handbook|guidelines?|acceptance criteria|ac:|user stor(?:y|ies)|requirements?|specifications?|runbook|checklist|faq|(?:working )?agreement|charter|code of conduct|values|principles|terms (?:of|and)|q:|a:)(?:[^.!?]{0,40}$|\s*:)|^(?:議事録|障害報告|手順書?|受け入れ条件|要件|仕様書?|規約|お知らせ|会议纪要|纪要|事故报告|验收标准|需求(?:文档|说明)?|规范|手册|公告|회의록|장애 보고|인수 조건|요구 ?사항|매뉴얼|체크리스트|지침|공지)(?:[^。.!?]{0,20}$|\s*[:：])/iu,
  /^.{1,14}(?:お知らせ|からの連絡|通知|公告|공지|안내)\s*[:：]?$/u,
  /^(?:ticket|issue|bug|incident|case|request|チケット|工单|티켓)\s*(?:#|no\.? ?|nr\.? ?)?\d+/iu,
  // Tickets by their number.
  /^\[?(?:[A-Z]{2,10}-\d+|#\d{2,})\]?(?:[\s:：—–-]|$)/u,
  // Logs and sessions of a shell.
  /^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\s*\[?\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?[\]\s]\s*\S|^\w{3} +\d{1,2} \d\d:\d\d:\d\d|^\s*\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE|NOTICE)\]?[\s:]/u,
  /^\s*(?:[$%❯➜]\s+\S|PS [A-Z]:\\|[\w.-]+@[\w.-]+[:~])/u,
  /^\s*(?:at \S+ ?\(|File ".+", line \d+|Traceback|\S+:\d+:\d+[:\s]|(?:npm|yarn|pnpm|pip|cargo|docker|git)[ :](?:err|error|warn|notice|info)\b|(?:warning|error|hint|note|fatal|remote)(?:\[\w+\])?: )/iu,
  // Lines of documents, web pages, tables, markup, JSON and diffs.
  /^\s{0,3}#{1,6}\s+\S|^\s*(?:={3,}|-{3,}|\*{3,}|_{3,})\s*$/u,
  /^(?:§|(?:article|section|chapter|clause) \d+|\d+\.\d+(?:\.\d+)*\.?\s+\S|第[\d一二三四五六七八九十]+[条章节節項]|제\s?\d+\s?[조장항])/iu,
  /^(?:skip to (?:main )?content|table of contents|on this page|home\s*[>›/»]|we use cookies|accept all|share this|sign (?:in|up)\b|log in\b|subscribe\b|read more|last (?:updated|modified)|posted (?:on|by)|published|written by|edited by|\d+ min(?:ute)?s? read|©|copyright|all rights reserved|edit this page|目次|公開日|投稿日|最終更新|著作権|目录|发布(?:于|时间)|上一篇|下一篇|版权|목차|작성일|게시일|최종 수정|저작권)/iu,
  /^\s*\|.*\||^\s*<\/?[a-z][\w:-]*(?:\s[^<>]*)?>|^\s*[{[]\s*$|^\s*"[\w-]+"\s*:|^(?:@@ |diff --git |index [0-9a-f]{7}|(?:\+\+\+|---) \S)/iu,
  /^https?:\/\/\S+\s*$/u,
];
// Two of these do: a person may well write one.
const FIELD =
  /^(?:[-*]\s+)?(?:\*\*)?(?:\d+[.)]\s+)?(?:key|id|status|state|priority|severity|assignee|assigned to|reporter|reported by|root cause|action(?: items?)?|timeline|attendees|participants|decision|labels?|components?|summary|title|description|steps(?: to reproduce)?|expected(?: \w+)?|actual(?: \w+)?|environment|version|acceptance criteria|type|created|updated|due(?: date)?|sprint|story points|customer|account|contact|ticket|request|comment|resolution|author|source|product|impact|ステータス|状態|優先度|担当者?|報告者|概要|詳細|説明|再現手順|期待(?:値|結果|する動作)|お客様|顧客|内容|状态|优先级|负责人|经办人|报告人|描述|标题|客户|复现步骤|备注|상태|우선순위|담당자|보고자|설명|고객|내용|재현 절차)(?:\*\*)?\s*[:：]/iu;
const SPEAKER =
  /^(?:\[?\d{1,2}:\d\d\]?\s*)?(?:[A-Z][\p{L}.'’-]{1,20}(?: [A-Z][\p{L}.'’-]{1,20})?|[\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana}]{2,6})(?: \(\w+\))?\s*[:：]\s+\S/u;

// A text that the turn speaks about and brings along: the rest of the turn is that text.
const TEXT_NOUN =
  "(?:e-?mails?|mails?|tickets?|messages?|letters?|logs?|outputs?|traces?|articles?|(?:web ?)?pages?|(?:blog )?posts?|docs?|documents?|documentation|readme|specs?|transcripts?|reports?|threads?|comments?|reviews?|snippets?|quotes?|texts?|tweets?|announcements?|changelogs?|polic(?:y|ies)|guidelines?|instructions?|prompts?|plans?|requests?|complaints?|feedback|answers?|chats?|conversations?|passages?|paragraphs?|contracts?|terms|notes from \\S+)";
const POINTING = new RegExp(
  [
    String.raw`\b(?:here(?:['’]s| is| are)|see below|below (?:is|are)|(?:the|as) follow(?:s|ing)|as below|attached|forwarded|forwarding|pasted|pasting|copied from|copying|quoted?|got this|received this|they (?:sent|wrote)|this is what)\b`,
    String.raw`\b(?:this|that|these|those|his|her|their|another|\w+['’]s)\s+(?:[\w-]+\s+){0,3}?${TEXT_NOUN}\b`,
    String.raw`\bthe\s+(?:[\w-]+\s+)?(?:e-?mail|mail|ticket|message|letter|article|thread|transcript|announcement|complaint)\b`,
    String.raw`(?<!\bi (?:just |already )?)\b(?:says?|said|reads|states?|suggests?|proposes?|proposed|insists?|prints?|printed|comment(?:s|ed)|demands?|writes|wrote|asks)\s*$`,
    String.raw`\b(?:do|does|did|are|is) (?:we|our|it|my|they|the)\b[^.?!]{0,40}\b(?:follow|meet|comply|break|violate|satisfy|obey|respect)\w*\b`,
    String.raw`\b(?:from|in|on|by|see|per|quoting)\s+(?:(?:the|our|their|a|an|my)\s+)?(?:[\w-]+\s+){0,3}?(?:${TEXT_NOUN}|wiki|confluence|notion|slack|teams|jira|handbook|runbook|readme|contributing|internet|web ?site|forum|channel|blog|book|stack ?overflow)\b(?=[^.!?]{0,20}[.:,!?]?\s*$)`,
    String.raw`\b(?:copied|pasted|quoted|taken|found|got|received|read)\s+(?:this|that|it|the following)\b|\b(?:support|customers?|clients?|boss|manager|marketing|sales|legal|security|they|he|she|somebody|someone|(?:the |our |their )?\w+ (?:team|people|department))\s+(?:just\s+|also\s+)?(?:wrote|writes?|says?|said|sent|posted|asks?|asked|wants?|told|tells|replied|answered|demands?)\b|\b(?:readme|handbook|wiki|guide|rule ?book|contributing|stack ?overflow|eslint|linter|compiler|documentation|spec)\b[^.]{0,12}\b(?:says?|states?|has|reads?|answers?|reports?|complains?)\b|\bwhat does (?:the following|this|that|it)\b[^.]{0,30}\bmean`,
    String.raw`\b(?:summari[sz]e|translate|reply to|respond to|answer to|triage|proofread|review)\b[^.]{0,30}(?::|\b(?:this|that|it)\b)`,
    String.raw`\b(?:reformat|rewrite|rephrase|format|shorten|improve|polish|explain|classify|extract|convert|turn|correct|clean up|check)\s+(?:this|that|it|these|the following)\b(?=\W*$)`,
    "(?:次の|以下|下記|上記|この|こちらの|添付の|届いた|もらった|お客(?:様|さん)(?:から)?の?|顧客の?)(?:\\S{0,6})?(?:メール|チケット|メッセージ|ログ|出力|記事|ページ|文書|文章|資料|ドキュメント|議事録|報告|コメント|レビュー|問い合わせ|依頼|手順書|規約|マニュアル|ガイド(?:ライン)?|ブログ|規則|仕様|貼り?付け)|抜粋|引用|(?:マニュアル|手順書|規約|仕様書|ガイド(?:ライン)?|ブログ|wiki|記事|資料)(?:の一|に(?:は|よ)|から)|守(?:れ|っ)て(?:い)?(?:る|ます|ない)|違反して|(?:以下|次|下記)(?:の通り|のとおり|です|を)|要約して|翻訳して|訳して|返信|から(?:の(?:連絡|依頼|要望|指摘|返信|お知らせ|問い合わせ)|届い|引用|転載|コピー)|の内容(?:です|は)|に書(?:いて|かれて)(?:ある|あっ|い)|によると|と(?:のこと|言っ|書い)",
    "(?:这|那|下面|以下|下列|如下|客户|用户|附上|转发|收到)[的个封条段篇份些是]{0,3}\\S{0,4}(?:邮件|工单|消息|日志|输出|文章|网页|页面|文档|记录|报告|评论|反馈|内容|说明|信|帖子|公告|规定|文本|聊天|手册|规范|指南|教程|博客|须知|条款|合同|协议|守则|制度|条例)|(?:一[段节篇则]|片段|摘录|节选|原文)|(?:手册|规范|指南|教程|博客|须知|条款|合同|协议|守则|制度|条例|文档|群|wiki)[里中上]|符合|(?:违反|遵守)(?:了|吗)|如下|见下|(?:总结|翻译|回复|概括)一?下?|(?:客服|客户|领导|同事|老板|用户|对方|他们?|她)(?:的消息|说|写|发来|要求|反馈)|(?:来自|摘自|引自|复制自|转自)|写(?:的是|着)|内容(?:是|如下|为)",
    "(?:이|그|다음|아래|위|첨부(?:된|한)?|고객(?:의|이|님)?|받은|전달(?:된|받은))\\s?\\S{0,8}\\s?(?:메일|이메일|티켓|메시지|로그|출력|기사|글|페이지|문서|회의록|보고서?|댓글|리뷰|문의|요청|공지|규정|내용|대화|매뉴얼|지침|가이드|블로그|약관|위키)|발췌|원문|(?:매뉴얼|지침|가이드|규정|약관|블로그|위키|문서)(?:의|에|에서|에는) |지키고 ?있|준수하|위반|(?:아래|다음)(?:와|과) 같|요약해|번역(?:해|하)|답장|에서 (?:온|보낸|받은|복사|가져온|퍼온)|에 따르면|내용(?:입니다|이에요|이야)|라고 (?:적혀|써|했|하)|(?:고객|상사|팀장|동료)(?:이|님이|가) ",
  ].join("|"),
  "iu",
);

/** Cues that something is meant to last. */
export const MEANT_TO_LAST = new RegExp(
  [
    FROM_NOW_ON.source,
    String.raw`\b(?:always|never|(?:not|don['’]t|mustn['’]t)\b[^.]{0,80}\bever|ever again|every ?time|each time (?:you|we)|whenever|(?:each|every|any) (?:new )?(?:commit|pr|pull request|merge|release|deploy\w*|change|branch|test|file|migration|session|function|class|endpoint|page|component)|in (?:this|the|our|that) (?:repo(?:sitory)?|project|code ?base|monorepo|workspace|team|company)|for (?:this|the|our) (?:repo(?:sitory)?|project|code ?base)|as a (?:rule|matter of (?:course|principle)|general rule)|(?:house |team |project |ground |hard )?rules?\s*[:!]|keep (?:that|this|it) in mind|(?:please )?(?:remember|keep in mind|bear in mind|note for (?:later|next time|the future)|for (?:next time|the future|future reference|the record))\b(?! to| when)|under no circumstances|no matter what|without exception|by convention|our convention|we (?:never|always)|at all times|for good|permanently)\b`,
    "常に|必ず|絶対|毎回|いつも|決して|(?:この|うちの|本)(?:リポジトリ|プロジェクト|レポジトリ|コードベース|チーム)(?:では|は|内)|覚えて(?:おい)?て|ルール(?:として|[:：])|原則|厳禁|禁止|二度と|例外なく|のたびに|するたび",
    "始终|永远|总是|一律|务必|每次|每当|每个(?:提交|PR|版本|文件|测试)|绝对?不|绝不|千万|(?:在)?(?:这|本|我们)个?(?:的)?(?:仓库|项目|代码库|团队)|记住|规则[:：是]|原则上|严禁|禁止|切勿|再也不|任何(?:时候|情况)|无论如何",
    "항상|언제나|반드시|절대|매번|결코|(?:이|우리) ?(?:저장소|레포|리포지토리|프로젝트|코드베이스|팀)(?:에서는|에선|는|은)|기억해|규칙(?:[:：]|으로)|원칙적?으로|금지|다시는|예외 없이|때마다|마다 ",
  ].join("|"),
  "iu",
);

const MOST_LINES = 20;
const MOST_CHARS = 2000;
const MOST_POINTS = 3;
const POINT = /^\s*(?:[-*•・]|\d{1,3}[.)、])\s+/;
const OPENS = /[:：]\s*$/;

/**
 * Returns what a person said in their own words: without what is quoted, pasted or forwarded, by the form of its lines
 * and by what the turn says of it. Doubt counts against it: what is no rule of theirs must never become one.
 */
export function ownWords(text: string): string {
  const isMuch = text.length > MOST_CHARS;
  const lines = withoutSpeech(withoutCode(isMuch ? text.slice(0, MOST_CHARS) : text)).split("\n");
  const full = lines.filter((line) => !isBlank(line));
  if (full.length === 1 && !isMuch) return beforeColon(full.join("").trim());
  if (count(full, FIELD) >= 2 || count(full, SPEAKER) >= 2) return "";
  const own = introOf(lines);
  if (own !== undefined) return own;
  // Text this long was pasted, not typed: a specification, a plan or a page.
  if (isMuch || full.length > MOST_LINES) return "";
  if (count(full, POINT) > MOST_POINTS || full.some((line) => isForeign(line.trim()))) return "";
  return typed(lines).join("\n");
}

/** Leaves out quotes of more than one sentence: each of those would read as the person's own. */
const withoutSpeech = (text: string): string =>
  text.replace(/「[^「」\n]+」|『[^『』\n]+』|“[^“”\n]+”|"[^"\n]+"/gu, (quote) =>
    /[。！？]|[.!?]["”]?\s/u.test(quote.slice(1, -1)) ? "…" : quote,
  );

// A later paragraph that goes on so is the person's; any other may be a text that the first one speaks about.
const GOES_ON =
  /^(?:and\b|also\b|btw\b|by the way\b|besides\b|oh,? |one more thing\b|another thing\b|last thing\b|in general\b|generally\b|please remember\b|remember\b|p\.?s\.?\b|for the future\b|ついでに|あと、?|それと|それから|なお|ちなみに|また、|覚えて|另外|还有|顺便|此外|记住|그리고|또한?|참고로|추가로|기억)/i;

// A first paragraph that asks, or names a text of any kind, may bring the others along.
const MAY_BRING = new RegExp(
  String.raw`[?？]|\b${TEXT_NOUN}\b|\b(?:reply|replies|notice|spam|sign|paste|copy|wrote|written|sent|said|says|below|following|add|put|banner|entry|section|readme|contributing)\b|メール|通知|連絡|お知らせ|文|資料|書|届|意味|追記|邮件|通知|消息|文|信|公告|发来|写|意思|加|메일|공지|안내|문서|내용|메시지|글|보낸|무슨|추가|써`,
  "i",
);

const ASKS = /[?？]\s*$|[吗呢]$|(?:か|까|나요|가요)[。.]?$/u;

/** Whether paragraphs stand between the first one and a question at the end: the question is about them. */
function isAskedAbout(lines: readonly string[]): boolean {
  const paragraphs = lines
    .join("\n")
    .split(/\n\s*\n/)
    .filter((paragraph) => !isBlank(paragraph));
  return paragraphs.length > 2 && ASKS.test(paragraphs.at(-1)?.trim() ?? "");
}

/** The lines that were typed: the first paragraph and those that go on from it, without points under a title. */
function typed(lines: readonly string[]): string[] {
  const isBrought = isAskedAbout(lines);
  const isTitled = !POINT.test(lines.find((line) => !isBlank(line)) ?? "");
  let isOwn = true;
  let isStart = true;
  return lines.filter((line, at) => {
    const plain = line.trim();
    if (plain === "") {
      isStart = true;
      return false;
    }
    const before = lines.slice(0, at).filter((each) => !isBlank(each));
    if (isStart && before.length > 0) isOwn = GOES_ON.test(plain) || !(isBrought || MAY_BRING.test(before.join("\n")));
    isStart = false;
    return isOwn && !(isTitled && POINT.test(line)) && !isQuotation(plain) && !isLabelled(plain);
  });
}

/** The words that introduce another text, or a list of lasting rules with their heading; undefined where neither is. */
function introOf(lines: readonly string[]): string | undefined {
  for (const [at, line] of lines.entries()) {
    const plain = line.trim();
    if (isForeign(plain))
      return POINTING.test(lines.slice(0, at).join("\n")) ? beforePointing(lines.slice(0, at)) : undefined;
    const isHeading = OPENS.test(plain) && lines.slice(at + 1).some((each) => each.trim() !== "");
    // "Rules:" alone may head any document.
    const isOwnList = MEANT_TO_LAST.test(plain.replace(/rules?|ルール|规则|규칙/gi, "")) && !POINTING.test(plain);
    if (isHeading && isOwnList) return listAfter(lines, at);
    // What stands in a paragraph before such a line may be the text itself.
    if (isHeading || POINTING.test(plain))
      return lines.slice(0, at).some(isBlank) ? "" : beforePointing(lines.slice(0, at + 1));
  }
  return undefined;
}

// A sentence that says where the next ones come from.
const BRINGS =
  /\b(?:i|we) (?:just )?(?:found|got|received|copied|took|read|saw|have) (?:this|these|the following|it)\b|\bhere(?:['’]s| is| are) (?:what|the|an?|some)\b|から(?:の引用|の抜粋|コピー)|に(?:は)?こう(?:あ|書)|抜粋です|写着|这么(?:写|说)|(?:摘自|引自|来自)|[一节]段[。：:]|발췌(?:한|입)|(?:이렇게|라고) (?:써|적혀)/iu;

/** A turn of one line: what stands after "this mail:" is the mail. */
function beforeColon(line: string): string {
  if (isForeign(line) || isQuotation(line) || isLabelled(line)) return "";
  const brings = sentencesOf(line).findIndex((sentence) => BRINGS.test(sentence));
  if (brings >= 0) return sentencesOf(line).slice(0, brings).join("\n");
  const at = line.search(/[:：]\s*\S/u);
  return at > 0 && POINTING.test(line.slice(0, at)) && !MEANT_TO_LAST.test(line.slice(0, at)) ? "" : line;
}

/** Sentences of the first paragraph before the one that points at the text: a rule may stand there. */
function beforePointing(lines: readonly string[]): string {
  const end = lines.findIndex((line) => line.trim() === "");
  const paragraph = (end < 0 ? lines : lines.slice(0, end)).join("\n");
  const sentences = sentencesOf(paragraph);
  const at = sentences.findIndex((sentence) => POINTING.test(sentence) || OPENS.test(sentence));
  return (at < 0 ? sentences : sentences.slice(0, at)).join("\n");
}

const sentencesOf = (paragraph: string): string[] => paragraph.split(/(?<=[.!?。！？])\s*|\n/u);

/** Each point under a heading, as a sentence of its own that carries the heading's "always" or "from now on". */
function listAfter(lines: readonly string[], at: number): string {
  const before = lines.slice(0, at).filter((line) => line.trim() !== "");
  const rest = lines.slice(at + 1);
  const start = rest.findIndex((line) => line.trim() !== "");
  const points = rest.slice(start);
  const end = points.findIndex((line) => line.trim() === "");
  const heading = (lines[at] ?? "").trim();
  const list = (end < 0 ? points : points.slice(0, end)).filter((line) => !isForeign(line.trim()));
  return [...before, ...list.slice(0, MOST_LINES).map((line) => `${heading} ${line.replace(POINT, "").trim()}`)].join(
    "\n",
  );
}

// The first words with a colon name who speaks, or what is to be done with the rest, unless they are the speaker's advice.
const LABEL =
  /^(?:[A-Z@#\p{Lu}][^:：.!?\n]{0,60}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}A-Za-z0-9 ]{1,24})[:：]\s*\S/u;
const ADVICE =
  /^(?:(?:and |also |so |ok,? |please,? )*(?:important|note|nb|warning|caution|careful|remember|rules?|reminder|gotcha|pitfall|lesson|convention|principle|decision|decided|root cause|cause|reason|i told you|as i said|again|once more|one more thing|last thing|keep in mind|as a (?:general )?rule|by convention|our (?:\w+ )?convention|for (?:the future|next time|future reference|the record)|note for|from now on|going forward|always|never|the (?:problem|issue|bug|cause|reason))\b|注意|重要|覚えて|ルール|補足|念のため|今後|決定|原因|根本原因|记住|规则|提醒|以后|决定|根因|기억|규칙|주의|중요|참고|앞으로|결정|원인|근본)/iu;
const isLabelled = (line: string): boolean => LABEL.test(line) && !ADVICE.test(line);

const isBlank = (line: string): boolean => line.trim() === "";

const isForeign = (line: string): boolean => FOREIGN_LINES.some((form) => form.test(line));

const isQuotation = (line: string): boolean => /^["“”「『«].*["”」』»][.。]?$/u.test(line);

const count = (lines: readonly string[], form: RegExp): number => lines.filter((line) => form.test(line.trim())).length;
