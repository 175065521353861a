import type { Sign } from "./signs.ts";

const LABEL =
  /^(?:\*\*)?(?:root cause|(?:the )?(?:real |actual |underlying )?(?:cause|reason)(?: (?:for|of|behind) [^:.]{2,60})?|lesson(?: learned)?|gotcha|pitfall|key rule|decision|decided|conclusion of the search)(?: \([^)]{1,40}\))?\s*[:：—–]\s*\S|^(?:根本原因|原因|決定|教訓|落とし穴|根因|结论|决定|教训|근본\s?원인|원인|결정|교훈)\s*[:：]\s*\S/iu;
const TOLD =
  /^(?:so |and |but |well,? |turns out,? )?(?:the |our )?(?:root |real |actual |main |underlying |whole )*(?:cause|reason|problem|issue|bug|culprit|trouble|failure|error|crash|leak|delay|timeout)(?: (?:of|for|with|behind|in) [^.,:]{2,60})? (?:was|were|had been|turned out to be|came from|was caused by|was due to|is caused by|is due to)\b|^(?:it )?turn(?:s|ed) out (?:that )?/iu;
// Trouble of a thing, with its cause: "the nightly import was slow because every row opened a transaction". Trouble of what
// the agent has just done is of the moment.
const TROUBLE =
  /^(?![^.]{0,200}\b(?:i|my|me)\b)(?:the |our |its )(?!(?:\w+ )?(?:edits?|commands?|search|grep|commit|push|patch|writes?|reads?|calls?|tests?|lint|check|run|rerun|attempt|try|tool|script|hook|diff|merge|rebase|install)\b)[^.,;:]{3,70} (?:failed|broke|hung|hangs|crashed|crashes|timed out|times out|leaked|was (?:slow|flaky|stuck|empty|missing|stale|wrong|rejected|skipped|lost)|came from)\b[^.;]{0,60}\b(?:because|since|due to)\b|^(?:the |our )(?:flaky |failing |slow |random |intermittent )(?:[\w`.-]+ ){1,5}(?:came|comes|stems|stemmed) from\b/iu;
// A limit that nothing reports, and what cannot be done at all, with the reason.
const LIMIT =
  /^[^.;:]{0,80}`[^`]+`[^.;:]{0,80}\bsilently (?:ignor|drop|truncat|discard|skip|overwrit|swallow|reject|clamp|cut|fall)|^(?:the |our |all )[^.,;:]{3,60} (?:cannot|can['’]t|can not|must not) (?!yet\b)[a-z]+\b[^.;]{3,100}\b(?:because|since)\b|^[^。]{0,60}`[^`]+`[^。]{0,60}黙って(?:無視|捨|切り|上書き)|^[^。]{0,40}`[^`]+`[^。]{0,40}静默(?:忽略|丢弃|截断|覆盖)|^[^.]{0,60}`[^`]+`[^.]{0,60}조용히 (?:무시|버[려리]|잘[려리]|덮어)|(?:被|会被?)静默(?:忽略|丢弃|截断|覆盖)/iu;
const TOLD_IN_CJK =
  /^(?:[^。、]{0,30})?(?:根本)?原因は[^。]*(?:でした|だった|ため|こと|漏れ|不足|ミス|です)|が原因で[^。]*(?:た|ました|でした)|(?:根本)?原因(?:是|在于|出在)|问题(?:出在|在于|就在)|(?:근본\s?)?원인은[^.]*(?:때문|것이|이었|였|입니다|다)|(?:이|가) 원인(?:이었|으로|이라)/u;
const WAY =
  /^(?:to|for|before|in order to) (?:run|deploy|release|start|build|test|reset|restore|publish|regenerate|migrate|debug|rotate|seed|install)\w*\b[^.]{2,80}(?:,|\b(?:run|use|need|requires?|must|set|call)\b)[^.]*`[^`]+`|^(?:the |all |our )?(?:deploy\w*|releases?|migrations?|builds?|backups?|(?:\w+ )?tests?|(?:\w+ )?fixtures?|seeds?|workers?) (?:go|goes|runs?|(?:are|is) (?:run|deployed|built|made|done|started))\s+(?:only |out )*(?:with|by|via|through|from)\b[^.]*`[^`]+`/iu;
const WAY_IN_CJK =
  /(?:デプロイ|リリース|テスト|ビルド|起動|マイグレーション)(?:は|には|するには)[^。]*`[^`]+`|(?:部署|发布|测试|构建|启动|迁移)[^。]{0,10}(?:要|用|需要|必须|通过)[^。]*`[^`]+`|(?:배포|릴리스|테스트|빌드|실행|마이그레이션)(?:는|은|하려면|를|을)[^.]*`[^`]+`/u;

const NEVER: readonly Sign[] = [
  "ask",
  "opens",
  "table",
  "heading",
  "quote",
  "plan",
  "guess",
  "proposal",
  "fine",
  "passing",
];
const MIN_CHARS = 45;
const MIN_CJK_CHARS = 12;

const FORMS = [LABEL, TOLD, TROUBLE, LIMIT, TOLD_IN_CJK, WAY, WAY_IN_CJK];

/** Whether a sentence has the form of a cause, a lesson, a decision or a way to run something, told outright. */
export const isOutrightForm = (text: string): boolean => FORMS.some((form) => form.test(text));

/** Whether a sentence of such a form is told of the matter, and not of a plan, a guess or the moment. */
export const isExplicit = (text: string, signs: readonly Sign[]): boolean =>
  !signs.some((sign) => NEVER.includes(sign)) && text.length >= leastOf(text, signs);
// A cause that names nothing must say the more: "the bug was only with the global file" is of no use to a reader.
const MIN_UNNAMED_CHARS = 60;
const NAMES: readonly Sign[] = ["name", "path", "code", "number"];

function leastOf(text: string, signs: readonly Sign[]): number {
  if (HAS_CJK.test(text)) return MIN_CJK_CHARS;
  return signs.some((sign) => NAMES.includes(sign)) ? MIN_CHARS : MIN_UNNAMED_CHARS;
}

const HAS_CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;
