import { FROM_NOW_ON, refusalOf, type SentenceReason, sentencesIn } from "../sentences.ts";
import { findingsIn } from "./findings.ts";
import { MEANT_TO_LAST, ownWords } from "./own-words.ts";

/** A sentence of a person that may outlive its session, and as what. */
export interface RuleMatch {
  readonly text: string;
  readonly rule: "realize" | "decision" | "finding";
  /** Why it is not taken although it has the form. */
  readonly refused: SentenceReason | undefined;
}

/** Finds lasting rules, decisions and stated causes in a person's own words; pasted text is skipped. */
export function saidIn(turn: string): RuleMatch[] {
  // Most turns are requests, and need not be taken apart.
  if (!MEANT_TO_LAST.test(turn) && !TELLS.test(turn)) return [];
  const own = ownWords(turn);
  const said = sentencesIn(own)
    .flat()
    .flatMap((text): RuleMatch[] => {
      const rule = isLastingRule(text) ? "realize" : isDecision(text) ? "decision" : undefined;
      return rule === undefined ? [] : [{ text, rule, refused: refusalOf(text) }];
    });
  const causes = findingsIn(own, { isTalk: false, isAfterEdit: false })
    // A report of what is broken now is a request: only what says that it is a cause counts.
    .filter(({ text, isOutright }) => isOutright && !said.some((each) => text.includes(each.text)))
    .map(({ text }): RuleMatch => ({ text, rule: "finding", refused: refusalOf(text) }));
  return [...said, ...causes];
}

const TELLS =
  /\b(?:deci(?:ded|sion)|agreed|settled|chosen?|opted|let['’]s|going with|we(?:['’]ll| will| should)? (?:go|use|stick|switch|standardi[sz]e|keep|adopt|settle)|causes?|culprit|reason|issue|problem|bug|fix(?:ed)?|workaround|turn(?:s|ed) out)\b|決|採用|行こ|いこ|しよう|しましょう|ことにし|决定|采用|统一|改用|就用|我们|원인|문제|결정|정했|기로|채택|가자|하자|합시다|原因|問題|问题|修正|直し|修复|解决|해결|고쳤/i;

const ADVICE = String.raw`(?:(?:important|note|nb|warning|caution|careful|remember|rule|please note|gotcha|pitfall|lesson|reminder)\b\s*[:!,–-]\s*)`;
const CIRCUMSTANCE = String.raw`(?:(?:when|whenever|while|before|after|if|in|on|for|during|with|from now on|going forward|every time|each time)\b[^.;]{0,80},\s*)`;
const MILD = String.raw`(?:(?:and|also|but|so|please|just|ok|okay|yes|no|you (?:should|must)|we (?:should|must))[,:]?\s+)*`;
// With these a sentence is about the speaker, tells what happens, or calms the reader.
const NO_DEED =
  "worry|mind|hesitate|bother|panic|feel|know|think|see|need|want|like|understand|believe|get|gets|got|care|seem|seems|be sure|exist|work|works|matter|apply|mean|appear|look|say|recall|expect|hold|happen|fails?|crash(?:es)?|breaks?|returns?|shows?|takes?|comes?|goes|ends?|hits?|runs? into|finds?|forgets?|loses?|tried|used to";
const DEED = `(?:ever\\s+|again\\s+)?(?!(?:${NO_DEED})\\b)[a-z]{2,}(?<!ed)\\b`;
const NEVER_OR_ALWAYS = new RegExp(
  [
    `^${ADVICE}?${CIRCUMSTANCE}?${MILD}(?:never|always)\\s+${DEED}`,
    `\\b(?:must|should|please|and|but|to|we)\\s+(?:never|always)\\s+(?:be\\s+[a-z]{2,}|${DEED})`,
    String.raw`\b(?:should|must) ?n[o'’]t\b.*\bever\b`,
    `^(?:i told you|as i said|again|once more)\\b[^:]{0,30}[:,]\\s*(?:never|always)\\s+${DEED}`,
  ].join("|"),
  "i",
);
const ORDER = new RegExp(
  `^${ADVICE}?${CIRCUMSTANCE}?${MILD}(?:do not|don['’]t|avoid|use|run|keep|make sure|ensure|write|put|prefer|check|ask|call|add|open|name|only|no\\b|commit|push|squash|rebase|test|format|document)\\b|\\b(?:must|should|shall|needs? to|has to|have to|may not|is not to|are not to|belongs? (?:in|to)|goes in|we (?:use|write|keep|run|do|don['’]t|never|always|want|prefer|call|put|name|squash|rebase|commit|test|deploy))\\b`,
  "i",
);
const TOLD_TO_KEEP =
  /^(?:please )?(?:remember|keep in mind|bear in mind|rules?|note for (?:later|next time|the future)|for (?:next time|future reference|the record))\b(?! to| when)(?:[^:,]{0,40}[:,]| that\b)|(?:覚えて(?:おい)?て|ルール)|记住|规则[:：]|기억해|규칙[:：]/iu;
const JAPANESE_ORDER =
  /(?:ください|下さい|こと[。！!]?$|ように(?:して|する|しよう|お願い)|べき|禁止|厳禁|なければ(?:なら|いけ)|てはいけ|ではいけ|てはなら|ではなら|てはだめ|ちゃだめ|ないで|ましょう|(?:す|う|く|る)な[。！!]?$|(?:する|します|使う|使います|書く|書きます|しません|しない|行う|行います|避ける|通す|付ける)[。！!]?$)/u;
const CHINESE_ORDER =
  /(?:要|别|请|必须|应该|应当|使用|采用|禁止|不得|不能|不可|不许|切勿|请勿|严禁|务必|一律|绝不|记住|只能|都用|都写|都放|[^有没]用`)/u;
const KOREAN_ORDER =
  /(?:마세요|마십시오|말\s*것|마라|말아|하세요|해\s*주세요|해\s*줘|십시오|해야|금지|쓰세요|주세요|안\s*(?:됩|돼|된)|(?:한다|쓴다|쓰자|하자|않는다|않습니다|합니다|둔다)[.。!]?$)/u;
// What a program is to do is a task: "the importer should always skip empty rows", unless it says how people treat it.
const REQUIREMENT =
  /^(?:it|this|that|there|they|these|those)\s+(?:must|should|needs?|has to)\b|^(?:the|a|an|our|my)\s+(?:[\w./-]+\s+){1,5}(?:must|should|needs? to|has to|have to)\s+(?:never|always|not)\b(?!\s+(?:be|get)\s+(?:committed|pushed|edited|merged|deployed|deleted|logged|exposed|stored|used|mocked|touched|changed|updated|renamed|imported|run|read|printed|shared|copied|skipped|disabled|called|started|stopped|restarted)\b)|^(?:make sure|ensure|implement|write|add|change|fix|test|check|let|have) (?:that )?(?:the|a|an|it|this|that)\b|(?:が|を)[^。がを]{0,80}(?:ないように|ように)(?:して|する|お願い)|^(?:请)?(?:让|使|确保|保证|实现|把|将)|(?:않게|없게|되게|하게)\s*(?:해|하)|(?:表示|出さ|出す|返す|返し|見える|並べ|並ぶ|ソート|ハイライト|显示|可见|返回|排序|高亮|隐藏|보여|보이|보여야|표시|정렬|반환|숨[기겨])/iu;
// Whose duty it is: people and agents, or a thing of the repository that they treat in a way.
const DUTY =
  /^(?:(?:and|but|so|also|please|ok(?:ay)?)[,:]?\s+)*(?:you|we|i|agents?|ai|(?:\w+ )?(?:ai|agents?)|claude(?: code)?|cursor(?: ai)?|copilot|codex|assistants?|nobody|no one|everyone|everybody|developers?|contributors?|reviewers?|the agent|the assistant)\s+(?:must|should|may|shall|can)\b|\b(?:be|get)\s+(?:committed|pushed|edited|merged|deployed|deleted|logged|mocked|touched|squashed|rebased|installed|imported|reviewed|checked in)\b/i;
const SUBJECT = /^[A-Za-z][\w./-]*(?:\s+[\w./-]+){0,5}\s+(?:must|should|shall)\s+(?:never|always|not)\b/i;
const CJK_SUBJECT =
  /^[^、。，,]{1,24}(?:は(?=[^、。]*(?:必ず|常に|絶対|決して|べき))|은 |는 )|^[^，。]{1,12}?(?:必须|应该|应当|一律|永远|始终|总是)/;
const CJK_DUTY =
  /コミット|プッシュ|編集|マージ|デプロイ|リベース|squash|削除|追加|触|実行|使|コピー|公開|インストール|再生成|レビュー|テスト|確認|聞|書|提交|推送|编辑|修改|合并|部署|变基|删除|添加|运行|使用|用|执行|安装|生成|评审|测试|确认|写|커밋|푸시|편집|수정|병합|배포|리베이스|삭제|추가|실행|사용|설치|생성|리뷰|테스트|확인|작성|쓰/;
const QUOTED = /"[^"\n]+"|“[^“”\n]+”|「[^「」\n]+」|『[^『』\n]+』|‘[^‘’\n]{8,}’|(?<=\s|^)'[^'\n]{8,}'/gu;
// What always goes wrong is a complaint, not a rule.
const COMPLAINT =
  /^(?:this|that|which) (?:means|is)\b|^(?:it|this|that|you|he|she|they|i|the \w+) (?:always|never|keeps?)\b|(?:いつも|毎回|必ず)[^。]{0,20}(?:失敗|落ち|エラー|遅|壊れ|忘れ|止まっ)|(?:总是|每次|一直)[^。]{0,20}(?:失败|报错|出错|崩|超时|卡|慢|忘)|(?:항상|매번|언제나)[^.]{0,20}(?:실패|에러|오류|느[리려]|죽|멈[추춰]|잊)|为什么|怎么|왜 |なぜ|どうして/iu;

function isLastingRule(sentence: string): boolean {
  // Words in quotes are another's, or a text to be written somewhere.
  const text = sentence.replace(QUOTED, " … ");
  if (!MEANT_TO_LAST.test(text) || COMPLAINT.test(text)) return false;
  if (TOLD_TO_KEEP.test(text)) return true;
  if (isRequirement(text) && !IN_THIS_PLACE.test(text)) return false;
  if (CJK.test(text)) return matches(text, JAPANESE_ORDER, CHINESE_ORDER, KOREAN_ORDER);
  if (NEVER_OR_ALWAYS.test(text)) return true;
  // "Always" inside of an order says how, and not how long: the order itself must be meant to last.
  return (
    MEANT_TO_LAST.test(text.replace(/\b(?:always|never)\b/gi, " ")) &&
    (ORDER.test(text) || new RegExp(FROM_NOW_ON, "iu").test(text))
  );
}

const isRequirement = (text: string): boolean =>
  REQUIREMENT.test(text) ||
  (SUBJECT.test(text) && !DUTY.test(text)) ||
  (CJK.test(text) && CJK_SUBJECT.test(text) && !CJK_DUTY.test(text));

const IN_THIS_PLACE = new RegExp(
  `${FROM_NOW_ON.source}|in (?:this|our) (?:repo|project|code)|この(?:リポジトリ|プロジェクト)|(?:这|本|我们)个?(?:仓库|项目)|(?:이|우리) ?(?:저장소|레포|프로젝트)`,
  "iu",
);

const DECIDED =
  /^(?:(?:ok|okay|so|then|right|alright|fine|yes)[,:.]?\s+)*(?:decision\s*:|decided\s*:|the decision is\b|(?:we|i)(?:['’]ve| have)? (?:have )?(?:decided|agreed|settled|chosen|chose|opted) (?:to|on|that|for|against|with|not)\b(?! (?:meet|call|talk|wait|skip|postpone|discuss|have|go home|start|try|look|take|ask|see)\b))/i;
const DECIDING =
  /^(?:(?:ok|okay|so|then|right|alright|fine|yes)[,:.]?\s+)*(?:let['’]s (?:go with|use|stick (?:with|to)|switch to|standardi[sz]e on|keep|adopt)\b|we(?:['’]ll| will| should| are going to|['’]re going to)? (?:go with|use|stick (?:with|to)|switch to|standardi[sz]e on|settle on|adopt|keep)\b|going with\b)/i;
const DECIDED_IN_CJK =
  /に決め(?:た|ました)|に決定|を採用|ことに(?:した|しました|決)|决定|采用|统一(?:使用|用)|(?:으로|로)\s*(?:결정|정했|정하기로)|(?:쓰|사용하|유지하|하|두|않)기로|채택/u;
const DECIDING_IN_CJK =
  /で(?:行|い)(?:こう|きましょう|きます)|に(?:しよう|しましょう|します)|改用|就用|我们(?:用|使用|选)|(?:으로|로)\s*(?:가자|갑시다|하자|합시다)/u;
const REASONED =
  /\b(?:because|since|instead of|rather than|so that|due to|as (?:it|we|they|the))\b|ため|ので|から[、。]|代わり|因为|由于|而不是|代替|때문|대신|(?:해서|아서|어서|므로)[ ,]/u;
// A choice has a name: a product, an identifier, a number.
const NAMED =
  /`[^`]+`|(?<=\S\s)[A-Z][A-Za-z0-9]+|(?<![A-Za-z0-9])[A-Za-z0-9]+[-_./:@][A-Za-z0-9]+|\b[A-Za-z]+\d+|\d+|\b[A-Z]{2,}\b/;
const NAMED_IN_CJK = /[A-Za-z][A-Za-z0-9._/-]+|\p{Script=Katakana}{3,}|「[^「」]+」|“[^“”]+”|\d+/u;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A decision that was made, with its reason or the name of its choice; one that is being made needs both. */
function isDecision(text: string): boolean {
  const isCjk = CJK.test(text);
  const isNamed = (isCjk ? NAMED_IN_CJK : NAMED).test(text);
  const isReasoned = REASONED.test(text);
  if ((isCjk ? DECIDED_IN_CJK : DECIDED).test(text)) return isReasoned || isNamed;
  return (isCjk ? DECIDING_IN_CJK : DECIDING).test(text) && isReasoned && isNamed;
}

const matches = (text: string, ...forms: readonly RegExp[]): boolean => forms.some((form) => form.test(text));
