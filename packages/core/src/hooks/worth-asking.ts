import { redact } from "../redaction/redact.ts";
import { errorLineOf } from "../transcript/failures.ts";
import { effectiveLength, noiseOf, withoutHostContext } from "../transcript/noise.ts";

const MIN_LENGTH = 8;
const CJK_WEIGHT = 3;
const BARE_COMMAND = /^(?:git|npm|npx|pnpm|yarn|cargo|go|make|docker|cd|ls)\s+[\w:./-]+(?:\s+[\w:./=-]+){0,2}$/i;

/** Words of which orders are made that name nothing: what to do with whatever is at hand. */
const ORDER_WORDS = new Set(
  (
    "commit push pull merge rebase run rerun re-run test tests tested build rebuild lint format typecheck type-check fix check verify review " +
    "retry try revert undo redo stash pop deploy ship release publish open create make do start stop continue resume finish complete " +
    "proceed go switch checkout back update upgrade install restart reload clean add amend squash tag apply save show list close " +
    "implement execute write edit change remove delete ready begin " +
    "this that these those it its them they all everything anything changes change work code branch main master dev develop trunk pr " +
    "request mr diff file files issue issues error errors bug bugs failing failed failure failures test suite linter linting ci " +
    "pipeline build server app again now please pls and or then to on up in into for of with from me us i we you let let's lets can " +
    "could would should will ok okay yes yep yeah no good great nice fine thanks thank looks sounds perfect cool sure done first " +
    "next last latest remaining rest other step steps phase plan task tasks todo todos one two three both also just quick quickly " +
    "before after everything's passes pass passing green the a an my our your is are so too as well when once if locally remote " +
    "origin upstream staged unstaged uncommitted message here there out off over everything dry"
  ).split(" "),
);
const MOST_ORDER_WORDS = 14;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/**
 * Words of bare orders in languages without blanks or with endings. A prompt that consists of nothing else is not worth
 * a question.
 */
const ORDERS_CJK =
  /コミット|プッシュ|プル|マージ|リベース|テスト|ビルド|デプロイ|リリース|レビュー|修正|実行|実装|確認|変更|作成|開始|続行|続け|進め|作業|ブランチ|タスク|計画|プラン|全部|全て|すべて|これ|それ|この|その|もう一度|再度|次|まず|お願い|ください|下さい|いただけ|もらえ|ましょう|ます(?:か)?|しといて|して|した|する|しよう|やって|回して|走らせ|戻して|直して|通して|みて|出して|おいて|ね|よ|を|に|で|の|は|が|と|も|て|提交|推送|拉取|合并|变基|运行|执行|跑|测试|构建|编译|部署|发布|检查|修复|修改|更改|代码|分支|全部|所有|这个|那个|这些|继续|开始|完成|下一步|一下|一遍|再|把|请|吧|了|并|和|然后|好的|好|커밋|푸시|풀|머지|병합|리베이스|테스트|빌드|배포|릴리스|리뷰|수정|실행|확인|변경(?:사항)?|작업|브랜치|전부|모두|모든|이거|그거|이것|그것|다시|계속|진행|시작|완료|다음|돌려|해\s?줘|해\s?주세요|해\s?봐|하자|합시다|해라|해|하고|줘|주세요|부탁(?:해|합니다)?|을|를|이|가|은|는|좀|그리고/gu;

/** Whether a prompt only orders to go on with whatever is at hand, and names nothing that could be known. */
function isBareOrder(prompt: string): boolean {
  const rest = CJK.test(prompt) ? prompt.replace(ORDERS_CJK, " ") : prompt;
  const words = (rest.toLowerCase().match(WORD) ?? []).map((word) => word.replaceAll("’", "'"));
  return words.length <= MOST_ORDER_WORDS && words.every((word) => ORDER_WORDS.has(word) || /^\d{1,3}$/.test(word));
}

/** Longest prompt that a hook asks with. */
const MOST_PROMPT = 2000;

/** A prompt as a hook sends it: what was said in it, in one line, without secrets. */
export const asPrompt = (typed: string): string =>
  redact(spokenIn(withoutHostContext(typed)).replace(/\s+/g, " ").trim()).slice(0, MOST_PROMPT);

/** Lines of logs, traces, sessions of a shell, data and source, by their form. */
const PASTED_LINE =
  /^(?:\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d|\[?\d\d:\d\d(?::\d\d)?[.,\]\s]|\w{3} +\d{1,2} \d\d:\d\d|\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|at \S+|File ".+", line \d|Traceback |[$%❯➜] \S|[|{}[\]<"]|\S+:\d+:\d+|(?:npm|yarn|pnpm|pip|cargo|remote|error|warning|hint|fatal|note)\b ?(?:\[\w+\])?(?::|err)|#\d+ |[\w.]+(?:Error|Exception)\b)|\t| {4,}\S)/i;
const FIRST_LINE = /^[^\n]*\n/;
const LAST_LINE = /\n[^\n]*$/;
const FENCE = /^\s*(?:```|~~~)/;
const LEAST_PASTED = 4;
/** Looked at from the beginning and from the end of a prompt. */
const MOST_LOOKED_AT = 20_000;
const MOST_SPOKEN = 1200;
const MOST_ERROR = 200;

/**
 * Returns a person's words beside a log, a trace or code that a prompt brings along, with the line of it that tells an error: the
 * rest would drown the question. The whole prompt, if little was pasted or nothing said.
 */
function spokenIn(typed: string): string {
  const isLong = typed.length > 2 * MOST_LOOKED_AT;
  const text = isLong
    ? `${typed.slice(0, MOST_LOOKED_AT).replace(LAST_LINE, "")}\n${typed.slice(-MOST_LOOKED_AT).replace(FIRST_LINE, "")}`
    : typed;
  const [spoken, pasted]: [string[], string[]] = [[], []];
  let isFenced = false;
  for (const line of text.split("\n")) {
    const isFence = FENCE.test(line);
    (isFence || isFenced || PASTED_LINE.test(line) ? pasted : spoken).push(line);
    if (isFence) isFenced = !isFenced;
  }
  const said = spoken.join("\n").trim();
  if (pasted.length < LEAST_PASTED || effectiveLength(said, CJK_WEIGHT) < MIN_LENGTH) return typed;
  // Secrets are removed before the text is cut, because half of a secret is not recognised.
  const error = errorLineOf(redact(pasted.join("\n")))?.slice(0, MOST_ERROR) ?? "";
  return `${redact(said).slice(0, MOST_SPOKEN)}\n${error}`;
}

/** Whether a prompt says enough to be looked up. */
export function isWorthAsking(prompt: string): boolean {
  const plain = prompt.replace(/\s+/g, " ").trim();
  if (effectiveLength(plain, CJK_WEIGHT) < MIN_LENGTH) return false;
  return noiseOf(plain) === undefined && !BARE_COMMAND.test(plain) && !isBareOrder(plain);
}
