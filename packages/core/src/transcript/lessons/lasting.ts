import { CJK, FROM_NOW_ON } from "../sentences.ts";
import { MEANT_TO_LAST } from "./own-words.ts";

const ADVICE = String.raw`(?:(?:important|note|nb|warning|caution|careful|remember|rule|please note|gotcha|pitfall|lesson|reminder)\b\s*[:!,–-]\s*)`;
const CIRCUMSTANCE = String.raw`(?:(?:when|whenever|while|before|after|if|in|on|for|during|with|from now on|going forward|every time|each time)\b[^.;]{0,80},\s*)`;
const MILD = String.raw`(?:(?:and|also|but|so|please|just|ok|okay|yes|no|you (?:should|must)|we (?:should|must))[,:]?\s+)*`;
// With these a sentence is about the speaker, tells what happens, or calms the reader.
const NO_DEED =
  "worry|mind|hesitate|bother|panic|feel|know|think|see|need|want|like|understand|believe|get|gets|got|care|seem|seems|be sure|exist|work|works|matter|apply|mean|appear|look|say|recall|expect|hold|happen|fails?|crash(?:es)?|breaks?|returns?|shows?|takes?|comes?|goes|ends?|hits?|runs? into|finds?|forgets?|loses?|tried|used to|is|was|are|were|sounds?";
const DEED = `(?:ever\\s+|again\\s+)?(?!(?:${NO_DEED}|the|an?|this|that|these|those|my|our|your|its?|on|in|at|under|over|off|up|to|from|with|by|for|as|more|less)\\b)[a-z]{2,}(?<!ed)\\b`;
const NEVER_OR_ALWAYS = new RegExp(
  [
    `^${ADVICE}?${CIRCUMSTANCE}?${MILD}(?:never|always)\\s+${DEED}`,
    "^under no circumstances,? (?:(?:may|should|must|can|shall) (?:you|we|an?|any\\w*|agents?|scripts?|developers?)\\b|(?!may|should|must|can|shall|is|are|will|was)[a-z])",
    `\\b(?:must|should|please|and|but|to|we)\\s+(?:never|always)\\s+(?:be\\s+[a-z]{2,}|${DEED})`,
    String.raw`\b(?:should|must) ?n[o'’]t\b.*\bever\b`,
    `^(?:i told you|as i said|again|once more)\\b[^:]{0,30}[:,]\\s*(?:never|always)\\s+${DEED}`,
  ].join("|"),
  "i",
);
const WHENEVER = "(?:whenever|every ?time|each time)";
const WHENEVER_DONE = new RegExp(
  `^${MILD}${WHENEVER} (?:you|we)\\b[^.;]{0,80},\\s*(?:(?:please|also|then)\\s+)*(?!(?:the|an?|it|its|there|this|that|i|you|we|they|my|our|no|nothing|something|everything|all|some)\\b)${DEED}(?<!(?<!s)s)(?:\\s|$)`,
  "i",
);
// A program's events are the matter of a task; a change of the repository is an occasion for its people.
const WHENEVER_MET = new RegExp(
  `^${MILD}${WHENEVER} (?!you\\b|we\\b|there\\b|i (?:ask|say|tell|write|send|paste|give|mention|review|commit|push)\\b|(?:an?|the|any) (?:[\\w-]+ ){0,2}?(?:migrations?|schemas?|dependenc(?:y|ies)|lockfile|tests?|endpoints?|routes?|releases?|versions?|api|prs?|commits?|branch|builds?|snapshots?|config\\w*)\\b)`,
  "i",
);
const ORDER = new RegExp(
  `^${ADVICE}?${CIRCUMSTANCE}?${MILD}(?:do not|don['’]t|avoid|use|run|keep|make sure|ensure|write|put|prefer|check|ask|call|add|open|name|only|no\\b|commit|push|squash|rebase|test|format|document)\\b|^(?:i|we) (?:don['’]t|do not|never) want\\b|\\b(?:must|should|shall|needs? to|has to|have to|may not|is not to|are not to|belongs? (?:in|to)|goes in|we (?:use|write|keep|run|do|don['’]t|never|always|want|prefer|call|put|name|squash|rebase|commit|test|deploy))\\b`,
  "i",
);
const TOLD_TO_KEEP =
  /^(?:please )?(?:remember|keep in mind|bear in mind|(?:as a (?:general )?)?rules?|by convention|our (?:\w+ )?convention|note for (?:later|next time|the future)|for (?:next time|the future|future reference|the record))\b(?! to| when)(?:[^:,]{0,40}[:,]| that\b(?! (?:bug|issue|problem|thing|time|day|one|ticket|error)\b))|[,;–—-]\s*(?:please )?(?:keep (?:that|this|it) in mind|remember (?:that|this|it))\b|(?:覚えて(?:おい)?て|ルール)|记住|规则[:：]|기억해|규칙[:：]/iu;
const JAPANESE_ORDER =
  /(?:ください|下さい|こと[。！!]?$|ように(?:して|する|しよう|お願い)|べき|禁止|厳禁|なければ(?:なら|いけ)|てはいけ|ではいけ|てはなら|ではなら|てはだめ|ちゃだめ|ないで|ましょう|(?:す|う|く|る)な[。！!]?$|(?:する|します|使う|使います|書く|書きます|しません|しない|行う|行います|避ける|通す|付ける)[。！!]?$)/u;
const CHINESE_ORDER =
  /(?:要|别|请|必须|应该|应当|使用|采用|禁止|不得|不能|不可|不许|切勿|请勿|严禁|务必|一律|绝不|记住|只能|[都统]一?(?:用|写|放|存|走|按)|[^有没]用`)/u;
const KOREAN_ORDER =
  /(?:마세요|마십시오|말\s*것|마라|말아|하세요|해\s*주세요|해\s*줘|십시오|해야|금지|쓰세요|주세요|지\s*(?:마|말고|말자|말기|않기)|안\s*(?:됩|돼|된)|(?:한다|쓴다|쓰자|하자|않는다|않습니다|합니다|둔다)[.。!]?$)/u;
// A bare verb at the end is an order among colleagues, and the end of many a statement: it needs a cue of the first rank.
const JAPANESE_REQUEST = /[てで](?:おいて|くれ|ほしい|欲しい)?[ねよな]?[。！!]?$/u;
const KOREAN_REQUEST = /(?:해|써|쳐|뤄|꿔|눠|줘|둬|봐|켜|려|겨|춰|넣어|읽어|적어|지워)(?:라|둬|줘)?[.!]?$/u;
const KOREAN_STATEMENT = /(?<!같|없|많|깊|높|나란|일일)[이가] (?:\S+ )?\S+[.!]?$/u;
// These words ask for care, and often for once: alone they make no rule.
const WITH_CARE = /必ず|务必|一定|반드시|꼭/gu;
const OCCASION = {
  ja: /(?:前|後)[にはも]|たび|際[にはも]|(?:とき|時)(?:に|は|、)|場合|なら|たら|は(?=[^、。]*必ず)|は[^。]*こと[。！!]?$/u,
  zh: /(?<![目以当])前(?![端缀面提后台者景进])|(?<![最然以今往此])后(?![端台缀面果来续])|(?<![同及实定超临])时(?![间区刻长钟机常])|如果|只要|凡|所有|每/u,
  ko: /전에|후에|때|(?<=\p{Script=Hangul})(?<![화측장표전방평단배])면[ ,은]|라면|모든|마다|[은는] 반드시/u,
} as const;

function isOnOccasion(text: string): boolean {
  if (/[\u3040-\u30ff]/.test(text)) return OCCASION.ja.test(text);
  return OCCASION.ko.test(text) || OCCASION.zh.test(text);
}

// A sentence that says how a program is to behave is a task ("the importer should always skip empty rows"), unless it says how
// people treat the program.
const REQUIREMENT =
  /^under no circumstances,? (?:may|should|must|can|shall) (?:the|it|this|that)\b|^(?:it|this|that|there|they|these|those)\s+(?:must|should|needs?|has to)\b|^(?:the|a|an|our|my)\s+(?:[\w./-]+\s+){1,5}(?:must|should|needs? to|has to|have to)\s+(?:never|always|not)\b(?!\s+(?:be|get)\s+(?:committed|pushed|edited|merged|deployed|deleted|logged|exposed|stored|used|mocked|touched|changed|updated|renamed|imported|run|read|printed|shared|copied|skipped|disabled|called|started|stopped|restarted)\b)|^(?:make sure|ensure|implement|write|add|change|fix|test|check|let|have) (?:that )?(?:the|a|an|it|this|that)\b|(?:が|を)[^。がを]{0,80}(?:ないように|ように)(?:して|する|お願い)|^(?:请)?(?:让|使|确保|保证|实现|把|将)|(?<=\p{Script=Hangul})게\s*(?:해|하)|^(?:i|we)(?: (?:want|need|expect|wish|would like|would love)|['’]d (?:like|love)) (?:to see )?(?:the|this|that|it|an?)\b|^(?:always|never) (?:show|hide|display|render|highlight) (?:the|this|that|it|an?)\b|\b(?:the|this|that) (?:[\w-]+ ){0,2}?(?:screens?|modals?|dialogs?|buttons?|footers?|sidebars?|menus?|toasts?|banners?|charts?|icons?|tooltips?|popups?|dropdowns?|checkbox(?:es)?|spinners?|fonts?|(?:cover|landing|login|start|home|error) page)\b|(?:一覧|画面|ページ|フォーム|リスト|ヘッダー|フッター)に(?:は|も)|(?:列表|页面|表单|表格)(?:里|上|中)|(?:목록|화면|페이지)에는?|ボタン|メニュー|ダイアログ|ポップアップ|ツールチップ|按钮|菜单|弹窗|提示框|버튼|메뉴|팝업|모달|(?:表示|出さ|出す|返す|返し|見える|並べ|並ぶ|ソート|ハイライト|显示|可见|返回|排序|高亮|隐藏|보여|보이|보여야|표시|정렬|반환|숨[기겨])/iu;
// A duty of people and agents, or the way in which they treat a thing of the repository.
const DUTY =
  /^(?:(?:and|but|so|also|please|ok(?:ay)?)[,:]?\s+)*(?:you|we|i|agents?|ai|(?:\w+ )?(?:ai|agents?)|claude(?: code)?|cursor(?: ai)?|copilot|codex|assistants?|nobody|no one|everyone|everybody|developers?|contributors?|reviewers?|the agent|the assistant)\s+(?:must|should|may|shall|can)\b|\b(?:be|get)\s+(?:committed|pushed|edited|merged|deployed|deleted|logged|mocked|touched|squashed|rebased|installed|imported|reviewed|checked in|updated|written|added|kept|documented|tested|signed|tagged|named|formatted|versioned|approved|translated|regenerated)\b/i;
const SUBJECT = /^[A-Za-z][\w./-]*(?:\s+[\w./-]+){0,5}\s+(?:must|should|shall)\s+(?:never|always|not)\b/i;
const BEHAVES =
  /\b(?:should|must|has to|have to|needs? to) (?:also |then )?(?:trigger|return|show|send|fire|redirect|load|emit|open|close|reload|refresh|reset|display|render|appear|scroll|blink|play)\b/i;
// Behind "in", "at" or "from" a topic is a place and no subject.
const CJK_SUBJECT =
  /^[^、。，,]{1,24}(?:(?<![にでとら])は(?=[^、。]*(?:必ず|常に|絶対|決して|べき))|은 |는 )|^[^，。]{1,12}?(?:必须|应该|应当|一律|永远|始终|总是)/;
const CJK_DUTY =
  /ないで(?:ください|下さい)?[。！!]?$|コミット|プッシュ|編集|マージ|デプロイ|リベース|squash|削除|追加|触|実行|使|接続|扱|避け|守|揃え|統一|命名|変数|関数|クラス|コメント|ブランチ|型は|コピー|公開|インストール|再生成|レビュー|テスト|確認|聞|書|提交|推送|编辑|修改|合并|部署|变基|删除|添加|运行|使用|用|执行|安装|生成|评审|测试|确认|连接|命名|变量|函数|类名|注释|分支|写|커밋|푸시|편집|수정|병합|배포|리베이스|삭제|추가|실행|사용|설치|생성|리뷰|테스트|확인|작성|쓰|접속|고치|바꾸|건드리|저장|둬|두세요|놓|넣|변수|함수|클래스|주석|브랜치/;
const QUOTED = /"[^"\n]+"|“[^“”\n]+”|「[^「」\n]+」|『[^『』\n]+』|‘[^‘’\n]{8,}’|(?<=\s|^)'[^'\n]{8,}'/gu;
// An order for the moment in a lasting tone: "from now on, let's focus on the importer", "don't ever do that again, fix it".
const TASK =
  /^(?:from now on|going forward),? you(?:['’]re| are) (?:an?|the|my)\b|\bso (?:please )?(?:change|adapt|fix|update|adjust|rewrite|rename)\b|^(?:for|in) (?:this|the|our) \w+,? (?:i|we) (?:need|want|have|get)\b|\blet['’]s (?:focus|concentrate|work|continue|start|look|talk|discuss|move on|finish|do)\b|[,;–—]\s*(?:(?:so|and|then|please) )*(?:fix|change|correct|adjust|repair|adapt|rewrite|skip|ignore|handle|implement|do|rename|move|remove|delete|drop|add) (?:it|this|that|them)\b|, so (?:this|that|the|it)\b[^.]{0,60}\b(?:wrong|broken|off|empty|missing|stale)\b|^(?:for|in) (?:this|the|our) \w+,? (?:generate|create|build|rename|convert|translate|migrate|delete|remove|replace|find|list|draw|set up)\b|\b(?:everywhere|all over) in (?:this|the|our)\b|\band (?:delete|remove|drop) the (?:old|other|rest|first|second)\b|[,;] (?:and )?then (?:tell|show|send|give|ping|let) me\b|(?:けど|ので|から)、?\s*(?:(?:原因|理由)を)?(?:直し|調べ|修正し|見)て|[,，;；]\s*(?:请|帮我|麻烦)?(?:修|改|查|看|处理|调)(?:一下|下|好|掉)|(?:는데|니까)\s*(?:(?:원인|이유)(?:을|를) )?(?:고쳐|수정해|확인해|봐)/iu;
// A complaint tells of something that always goes wrong: it is no rule.
const COMPLAINT =
  /^(?:this|that|which) (?:means|is)\b|^(?:it|this|that|you|he|she|they|i|the \w+) (?:always|never|keeps?)\b|(?:いつも|毎回|必ず)[^。]{0,20}(?:失敗|落ち|エラー|遅|壊れ|忘れ|止まっ)|(?:总是|每次|一直)[^。]{0,20}(?:失败|报错|出错|崩|超时|卡|慢|忘)|(?:항상|매번|언제나)[^.]{0,20}(?:실패|에러|오류|느[리려]|죽|멈[추춰]|잊)|为什么|怎么|왜 |なぜ|どうして/iu;

/** Tells whether a sentence of a person is an order that is meant to last. */
export function isLastingRule(sentence: string): boolean {
  // Words in quotes are another's, or a text to be written somewhere.
  const text = sentence.replace(QUOTED, " … ");
  if (!MEANT_TO_LAST.test(text) || matches(text, COMPLAINT, TASK, WHENEVER_MET)) return false;
  if (TOLD_TO_KEEP.test(text)) return true;
  if (isRequirement(text) && !IN_THIS_PLACE.test(text)) return false;
  if (isOfAThing(text.replace(FROM_NOW_ON, " ").replace(/^[\s,]+/, ""))) return false;
  if (CJK.test(text)) return isLastingInCjk(text);
  if (NEVER_OR_ALWAYS.test(text) || WHENEVER_DONE.test(text)) return true;
  // "Always" inside of an order says how, and not how long: the order itself must be meant to last.
  return (
    MEANT_TO_LAST.test(text.replace(/\b(?:always|never)\b/gi, " ")) &&
    (ORDER.test(text) || new RegExp(FROM_NOW_ON, "iu").test(text))
  );
}

function isLastingInCjk(text: string): boolean {
  const isStrong = MEANT_TO_LAST.test(text.replace(WITH_CARE, " "));
  if (!isStrong && !isOnOccasion(text)) return false;
  if (matches(text, JAPANESE_ORDER, CHINESE_ORDER, KOREAN_ORDER)) return true;
  // A topic that people treat in a way is an occasion, too: others were left out as requirements.
  const isForOccasions = FROM_NOW_OR_HERE.test(text) || isOnOccasion(text) || CJK_SUBJECT.test(text);
  return isForOccasions && (JAPANESE_REQUEST.test(text) || (KOREAN_REQUEST.test(text) && !KOREAN_STATEMENT.test(text)));
}

// From now on one thing is to be otherwise: a task, unless people treat it so.
const OF_A_THING =
  /^(?:the|this|that|my) (?:[\w./-]+ ){1,4}?(?:should|must|needs? to|has|have|shows?|gets?) (?!(?:never|always|not)\b)/i;
const isOfAThing = (text: string): boolean => OF_A_THING.test(text) && !DUTY.test(text);

const isRequirement = (text: string): boolean =>
  REQUIREMENT.test(text) ||
  (matches(text, SUBJECT, BEHAVES) && !DUTY.test(text)) ||
  (CJK.test(text) && CJK_SUBJECT.test(text) && !CJK_DUTY.test(text));

// "README of this repository" is a thing, and "in this repository" with its particle a place where something holds.
const FROM_NOW_OR_HERE = new RegExp(
  `${FROM_NOW_ON.source}|(?:リポジトリ|プロジェクト|チーム|コードベース)では|(?:저장소|레포|프로젝트|팀|코드베이스)(?:에서는|에선)`,
  "iu",
);
const IN_THIS_PLACE = new RegExp(
  `${FROM_NOW_ON.source}|in (?:this|our) (?:repo|project|code)|この(?:リポジトリ|プロジェクト)|(?:这|本|我们)个?(?:仓库|项目)|(?:이|우리) ?(?:저장소|레포|프로젝트)`,
  "iu",
);

const matches = (text: string, ...forms: readonly RegExp[]): boolean => forms.some((form) => form.test(text));

const ORDER_BEFORE =
  /^(?<before>[^:]{3,200}?)(?:[,;–—] ?(?:and |but |also )*|[.!?]? (?:and|but) )(?=(?:please )?(?:from (?:now|today) on|going forward|in (?:the )?future|for the future)\b(?<rest>.*)$)/i;
const LEAST_REST = 12;

/** Leaves out an order for the moment before a lasting one: "fix the link, and from now on check links before you commit". */
export function withoutOrderBefore(sentence: string): string {
  const { before, rest } = ORDER_BEFORE.exec(sentence)?.groups ?? {};
  if (before === undefined || rest === undefined || rest.length < LEAST_REST || MEANT_TO_LAST.test(before))
    return sentence;
  return sentence.slice(before.length).replace(/^[^\p{L}]+(?:(?:and|but|also) )*/u, "");
}
