import { cut } from "../text/cut.ts";

const MOST_STEPS = 12;
const MAX_STEP = 160;
const MAX_HEAD = 100;

const FENCED = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
const HEADING = /^(#{1,6})\s+(.*)$/;
const BOLD_LINE = /^(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:：]?\s*$/;
const ITEM = /^\s*(?:(?:[-*•+]|\d{1,3}[.)、]|\(\d{1,2}\))\s+|[・①-⑳]\s*)(.*)$/;
const BOX = /^(?:[-*+]\s+|\d+[.)]\s+)?(?:\[( |x|X|-)\]|([☐☑✅❌⬜]))\s+(.*)$/;
const ROW = /^\s*\|(.+)\|\s*$/;
const RULE_OF_TABLE = /^[\s|:-]+$/;
const DONE =
  /^(?:\[x\]|✅|☑|~~|✓|✔)|(?:\b(?:fixed|done|completed|resolved|shipped|merged)\b|完了|済み?|已完成|완료)\W*$|[✅☑✔]\W*$/i;

/** Words of a heading, or of a line that ends with a colon, over what is left to do. */
const HEAD =
  /\b(?:next(?! to\b)|to[- ]?dos?|remain(?:s|ing)|left(?: to do| over| open)?\b(?!-)|outstanding|pending|still|open (?:items?|questions?|issues?|points?|tasks?|threads?|work)|follow[- ]?ups?|action(?:able)? items?|action needed|unresolved|unfinished|incomplete|not (?:yet )?(?:done|finished|implemented|started|covered)|blocked|blockers?|deferred|backlog|awaiting|(?:you|we|i)(?:['’]ll)? (?:still |will |also |now )*(?:need|have) to|to (?:finish|run|deploy|test|verify|complete|apply|ship) (?:it|this|the)|(?:exact|following|these|manual) steps|before (?:we|you) (?:merge|ship|release|deploy)|recommended|suggested (?:next|follow)|when you(?:['’]re| are) ready|for (?:tomorrow|later|the next session)|loose ends?|not included|future work|(?:known|remaining|open) gaps|out of scope)\b|^\W*(?:tomorrow|later)\b|残り|残る|残って|残タスク|残作業|残件|次の|次に|次回|今後|未完了|未対応|未着手|やること|やるべき|課題|保留|これから|下一步|接下来|后续|後續|待办|待辦|待处理|剩余|剩下|剩餘|未完成|还需要|還需要|尚未|还没|遗留|다음|남은|남아|할 일|해야 할|앞으로|미완료|미해결|보류|후속/i;
/** Sentences that announce unfinished work. */
const INLINE =
  /^(?:and |also,? |so,? |then,? |now,? |finally,? |otherwise,? )*(?:next(?: steps?| up)?\b\s*(?:[:,–—-]|is\b|are\b|we\b|i\b|you\b|comes?\b|would\b|to\b|the\b|step\b)|to[- ]?do\b\s*[:,–—-]|remaining\b|not done yet|left to do|what(?:['’]s| is) (?:left|next|missing)|still (?:to do|open|missing|pending|left|need|todo|unresolved|failing|broken))|\b(?:i|we|you|one|someone|(?:an? |the )?(?<![\w-])[\w-]{1,40}(?: [\w-]{1,40})?) (?:still |also |then |now |will |would |may |might |should )+(?:need|have|want) to\b|\b(?:i|we|you)(?:['’]ll)? (?:need|have) to\b|\bstill (?:needs?|has|have|must|lacks?|fails?|remains?|to be|not|missing|open|pending|unfinished|outstanding|untested|broken|waiting|red)\b|\b(?:remains?|is left|are left|left) (?:to|for|open|undone|unfinished|is|are)\b|\bremaining\b.{0,60}\b(?:is|are)\b|\b(?:yet to|not yet|n['’]t yet|have(?:n['’]t| not) (?:been )?(?:run|tested|done|started|wired|implemented|committed|pushed|deployed|verified))\b|\bready (?:to|for)\b.{0,40}\b(?:commit|push|merge|review|deploy|release|ship|run|go|test)|\bready\s*[—–-]\s*just run|\b(?:awaiting|waiting (?:for|on)|blocked (?:on|by)|pending|staged|stashed|uncommitted|unpushed|unstaged|untracked)\b|\bwhen (?:you(?:['’]re| are)? )?ready\b|\bonce (?:you|that|this|it|the)\b|\b(?:you can|you could|you should|make sure|please|remember to|don['’]t forget to|try (?:running|again)|just run|go ahead and)\b.{0,80}\b(?:run|push|commit|merge|deploy|restart|regenerate|rotate|update|unlock|retry|re-?run|verify|check|test|create|add|set|install|again)\b|\b(?:separate|follow-?up) (?:pr|issue|ticket|task|change|concern|commit)\b|\b(?:tomorrow|next session|later)\b.{0,40}\b(?:we|i|you|do|finish|continue|pick|start)\b|\b(?:did(?:n['’]t| not)|have(?:n['’]t| not)|never) (?:get|got|gotten) (?:to|around to)\b|\b(?:left|leave|leaves|leaving|kept|deferred|postponed)\b.{1,60}\bfor (?:later|tomorrow|next time|now|another|the next)\b|\b(?:ran|am|was) out of (?:time|budget|context|tokens)\b|\b(?:pick(?:s|ed|ing)? (?:it |this )?up (?:at|with|from|there)|(?:continue|resume) (?:at|from))\b|\b(?:should|must|could|can|will)\b.{1,80}\bnext[.]?$|\b(?:is|are|has|have)n['’]t\b.{1,60}\byet\b|[;,–—-] ?(?:remaining|left|missing|still open|to do)\s*:|\bis the way to go\b|\bwould need to\b|次(?:は|に|回)|残り(?:は|の|が)|残って|残っている|まだ.{0,30}(?:ない|ません|必要|残|未)|必要があ|未(?:完了|対応|実装|着手|検証)|しなければ|あとは|後は|別途|続きは|(?:明日|次回)(?:は|に|から)|下一步|接下来|接著|还差|還差|(?:明天|下次)(?:再|继续|繼續)|然后需要|还需要|還需要|还(?:没|要|有|得)|尚未|待(?:办|处理|确认|完成)|剩下|剩余|之后(?:再|需要)|다음(?:은|에는|으로|에|번)|남은|남아|아직|해야 (?:합니다|해요|한다|할|함)|필요가? 있|앞으로|이어서|내일(?:은|부터)|이제 .{0,30}(?:하면|해야)/i;
/** A question that offers what could be done, or asks for it to be chosen. */
const OFFER =
  /\b(?:want me|would you like|should (?:i|we)|shall (?:i|we)|do you want|which (?:one|approach|option|of|way|do)|ready (?:to|for)|may i|can i (?:go|proceed|commit|push)|how (?:do|would|should) (?:you|we)|prefer|proceed|pick|okay to|ok to|or (?:do|would|should))\b|(?:ますか|ましょうか|でしょうか|いいですか)[?？。]?$|(?:吗|嗎|呢|要不要|是否|哪)|(?:까요|나요|을까|할까|원하)/i;
/** A question or a heading of things to choose from. */
const CHOICE =
  /\b(?:which|prefer|options?|choices?|alternatives?|approach(?:es)?|pick|choose|or (?:do|would|should|shall))\b|どちら|どれ|選択肢|案|哪|方案|选择|選擇|어느|어떤|선택/i;
const QUESTION = /[?？]["'”」)*_]*\s*$|(?:ますか|ましょうか|でしょうか)[。]?$/;
/** A question that an agent asks in order to answer it itself. */
const SELF_ASKED =
  /^\W*(?:(?:so|and|now|then),? )?what(?:['’]s|['’]re| is| are| remains| comes)?\b(?! (?:do|would|should|shall|can|did) )(?:.{0,40}\b(?:left|next|missing|open|outstanding|pending|to do|undone|unfinished)\b.{0,20}| remains.{0,20})[?]|^(?:残り|残って|次|次回)(?:は|いるの|の).{0,12}[?？]|^(?:还剩|還剩|剩下|接下来|下一步).{0,8}[?？]|^(?:남은|다음).{0,12}[?？]/i;
/** An offer that names nothing. */
const OPEN_OFFER =
  /^(?:so,? )?(?:what|where|how) (?:would|do|should|shall|can|could) (?:you|i|we)\b[^,;:]{0,30}\b(?:next|now|from here|help|proceed)\W*$|\banything else\b|\bhow does (?:that|this) (?:look|sound)\b/i;
/** Says that nothing is left. */
const NOTHING =
  /^(?:next(?: steps?)?|to[- ]?do|remaining(?: work)?|left(?: to do)?|残り|残タスク|残作業|次のステップ|下一步|待办|다음(?: 단계)?|남은(?: 작업| 일)?)?(?:\s*[:：])?\s*(?:none(?: (?:left|remaining|for now|at (?:the|this) moment))?|nothing|n\/?a|なし|ありません|特になし|无|無|没有|없음|없습니다)[.。!]?$|\b(?:nothing|none)\b(?: (?:else|more|further|is|was|are|that is|that['’]s))* ?\b(?:left|remain(?:s|ing)|pending|outstanding|open|to do|needed|missing|required|blocked|blocking)\b(?!.{0,200}\b(?:but|except|other than|besides|apart from|until)\b)|\bno (?:remaining|open|outstanding|further|pending|more|other|additional|next|unresolved)\s(?:work|steps?|items?|tasks?|points?|questions?|todos?|to-dos?|follow-?ups?|actions?|action items?|issues?|blockers?|changes?)\b|^no (?:follow-?ups?|blockers?|todos?|next steps?)\b|(?:残り|残作業|残タスク|残課題|残件|未完了|未対応|やること)[^。、]{0,20}(?:ありません|ない(?:です)?$|なし$|ございません)|(?:没有|沒有|^无|^無)(?:其他|其它|任何|更多|别的|需要|什么)*(?:的)?(?:待办|待處理|待处理|遗留|遺留|剩余|剩餘|未完成|后续|後續)|(?:남은|미완료|남아)[^.]{0,20}(?:없습니다|없어요|없음|없다)/i;
const END = /(?<=[.!?])["'”)*_`]*\s+(?=[\p{Lu}\p{Lo}`"'(*_\d-])|(?<=[。！？])|\n+/u;

/** A turn's lines that belong under one head. */
interface Section {
  readonly isNext: boolean;
  readonly level: number;
}

/** Level of a line in bold, below every heading. */
const BOLD = 7;
/** Level of a line that ends with a colon. */
const COLON = 8;
const NO_SECTION: Section = { isNext: false, level: 0 };

/**
 * The steps that an agent's turn leaves to be done, in their order: a list, table or paragraph under a heading that says so,
 * boxes that are not ticked, sentences, and what it offers at its end.
 */
export function nextStepsIn(message: string): string[] {
  const listed: string[] = [];
  const sentences: string[] = [];
  const offered: string[] = [];
  const options: { readonly text: string; readonly isChoice: boolean }[] = [];
  let section = NO_SECTION;
  let isAfterBlank = false;
  let isHeaderRow = true;
  let isChoice = false;
  let isEmpty = false;
  const lines = message.replace(FENCED, "\n").split("\n");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  for (const [at, line] of lines.entries()) {
    const text = line.trim();
    if (UNDERLINE.test(text) && isUnderlined(lines[at - 1])) continue;
    if (text === "" || /^(?:-{3,}|\*{3,}|_{3,})$/.test(text)) {
      isAfterBlank = true;
      if (text !== "") section = NO_SECTION;
      continue;
    }
    const head = headOf(text) ?? headOver(text, lines, at);
    const [item, box, row] = [ITEM.exec(line)?.[1], BOX.exec(text), ROW.exec(line)?.[1]];
    if (head && item === undefined && !box) {
      // A heading right under a line that announces what is left divides it.
      if (section.isNext && isEmpty && head.level <= section.level) section = { isNext: true, level: head.level - 1 };
      const isInside = section.isNext && head.level > section.level;
      const isNext = HEAD.test(head.text) && (!QUESTION.test(head.text) || SELF_ASKED.test(head.text));
      if (!isInside || isNext) section = { isNext, level: head.level };
      else if (head.level === COLON) listed.push(head.text);
      sentences.push(...head.before.filter((part) => INLINE.test(plain(part))));
      isChoice = CHOICE.test(head.text);
      isEmpty = true;
      isHeaderRow = true;
      isAfterBlank = false;
      continue;
    }
    isEmpty = false;
    if (box) {
      if (box[1] === " " || /[☐⬜]/.test(box[2] ?? "")) listed.push(box[3] ?? "");
    } else if (row !== undefined) {
      const next = lines[at + 1] ?? "";
      if (section.isNext && !RULE_OF_TABLE.test(row) && !RULE_OF_TABLE.test(next.trim() || "x") && !isHeaderRow)
        listed.push(cellsOf(row));
      isHeaderRow = false;
    } else if (item !== undefined) {
      if (section.isNext) listed.push(item);
      else {
        options.push({ text: item, isChoice });
        if (INLINE.test(plain(item))) sentences.push(item);
      }
    } else {
      // A paragraph ends the list under a line with a colon, and is a part of what stands under a heading.
      const isPart = section.isNext && section.level < COLON && (section.level < BOLD || !isAfterBlank);
      const parts = text.split(END).map((part) => part.trim());
      const asks = parts.findIndex((part) => SELF_ASKED.test(part));
      for (const [nth, part] of parts.entries()) {
        if (nth === asks) continue;
        if (asks >= 0 && nth > asks && !QUESTION.test(part)) sentences.push(part);
        else if (QUESTION.test(part)) {
          if (OFFER.test(part) || at === last) offered.push(part);
        } else if (isPart || INLINE.test(plain(part))) (isPart ? listed : sentences).push(part);
      }
      if (isAfterBlank && !isPart) section = NO_SECTION;
      if (!offered.length && !isPart && !/[:：]$/.test(text)) options.length = 0;
    }
    isAfterBlank = false;
  }
  const isAsked = offered.some((question) => CHOICE.test(question));
  const chosen = options.filter((option) => isAsked || (offered.length > 0 && option.isChoice)).map(({ text }) => text);
  const steps = [...listed, ...sentences, ...(listed.length > 0 ? [] : chosen), ...offered]
    .filter((step) => !DONE.test(step.trim()))
    .map(plain)
    .filter((step) => !NOTHING.test(step) && !OPEN_OFFER.test(step));
  return [...new Set(steps)]
    .filter((step) => step.length >= 3)
    .slice(0, MOST_STEPS)
    .map((step) => cut(step, MAX_STEP));
}

interface Head extends Pick<Section, "level"> {
  readonly text: string;
  /** Sentences before it on its line. */
  readonly before: readonly string[];
}

/** A line that is a heading, or is used like one. */
function headOf(text: string): Head | undefined {
  const heading = HEADING.exec(text);
  if (heading) return { text: heading[2] ?? "", level: (heading[1] ?? "").length, before: [] };
  const bold = BOLD_LINE.exec(text)?.[1];
  if (bold !== undefined && text.length <= MAX_HEAD) return { text: bold, level: BOLD, before: [] };
  const sentences = text.split(END);
  const last = sentences.at(-1) ?? text;
  if (/[:：]\**$/.test(text) && last.length <= 2 * MAX_HEAD)
    return { text: last, level: COLON, before: sentences.slice(0, -1) };
  return ALONE.test(text) ? { text, level: COLON, before: [] } : undefined;
}

const UNDERLINE = /^(?:-{3,}|={3,})$/;

const isUnderlined = (line: string | undefined): boolean =>
  line !== undefined && line.trim() !== "" && line.trim().length <= MAX_HEAD && !ITEM.test(line) && !ROW.test(line);

/** A short line with a rule under it, or one that says what is left over a list, however it is dressed. */
function headOver(text: string, lines: readonly string[], at: number): Head | undefined {
  if (text.length > MAX_HEAD || ITEM.test(text) || ROW.test(text) || BOX.test(text)) return undefined;
  if (UNDERLINE.test(lines[at + 1]?.trim() ?? "")) return { text, level: 2, before: [] };
  if (/[.!。！]$|[:：]\s*\S/.test(text) || !HEAD.test(text)) return undefined;
  if (QUESTION.test(text) && !SELF_ASKED.test(text)) return undefined;
  const next = lines.slice(at + 1, at + 4).find((line) => line.trim() !== "") ?? "";
  return ITEM.test(next) || BOX.test(next) ? { text, level: COLON, before: [] } : undefined;
}

/** A bare word or two over a list. */
const ALONE =
  /^(?:to[- ]?do(?:s|list)?|next steps?|remaining(?: work)?|残タスク|次のステップ|下一步|待办|다음 단계|남은 작업)$/i;

const cellsOf = (row: string): string =>
  row
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "" && !/^#?\d+$/.test(cell))
    .join(" | ");

const plain = (text: string): string =>
  text
    .replace(/\*\*|__|`|^#+\s*/g, "")
    .replace(/^(?:\[[ x]\]|[-*•])\s+/i, "")
    .replace(/\s+/g, " ")
    .replace(/(?<=[^.])[.。]$/, "")
    .trim();

/* ---------------------------------------------------------------- requests that leave the steps as they are */

/** Kinds of a request that leaves the work where it is. */
export type Aside = "farewell" | "commit" | "question";

const MOST_FAREWELL = 80;
const MOST_QUESTION = 200;

const FAREWELLS: readonly RegExp[] = [
  /^(?:(?:ok(?:ay)?|thanks?(?: you)?(?: a lot| so much)?|thx|great|perfect|cool|good|alright|right|so|well|and)\b\W*)*(?:(?:let['’]?s|we(?:['’]ll)?|i(?:['’]ll|['’]m| will| have to| need to)?|time to|that(?:['’]s| is| will be| was)|this is)\s+)?(?:stop(?: here| now)?|call it (?:a day|a night)|wrap (?:it )?up|leave it (?:here|there|at that)|(?:all|it|enough|done)|go(?:ing)? (?:home|to bed|offline)|head(?:ing)? (?:home|out)|(?:continue|go on) (?:tomorrow|later|on monday|next week)|good ?(?:night|bye|evening)|bye(?: bye)?|see (?:you|ya)(?: (?:tomorrow|later|on monday|next week))?)(?: (?:here|now|for (?:today|now|tonight|this week)))*\W*(?:(?:thanks?(?: you)?|cheers|bye)\W*)?$/i,
  /^(?:ありがとう(?:ございま(?:す|した))?[、。!！\s]*)?(?:(?:では|じゃあ|それでは)[、\s]*)?(?:今日|本日)?は?(?:ここまで|終わり|以上)(?:に(?:します|しましょう|しよう))?(?:です)?[。!！]*$|^(?:お疲れ(?:様|さま).{0,10}|また明日.{0,6})$/,
  /^(?:谢谢|多谢|好的?)?[，,。!！\s]*(?:今天)?(?:就|先)?(?:到这里|到这儿|这样)(?:吧|了)?[。!！]*$|^(?:辛苦了|明天(?:见|再说|继续)|再见|收工)(?:吧|了)?[。!！]*$/,
  /^(?:고마워요?|감사합니다|고맙습니다)?[,.!\s]*(?:오늘은?\s*)?(?:여기까지|이만|그만)(?:\s*(?:할게요?|하자|하죠|합시다))?[.!]*$|^(?:수고(?:하셨습니다|했어요?)?|내일 (?:봐요?|뵙겠습니다|계속.{0,8}))[.!]*$/,
];
const COMMITS: readonly RegExp[] = [
  /^(?:(?:ok(?:ay)?|great|good|looks good|lgtm|yes|nice|perfect|thanks|thank you|please|now|and|then|go ahead(?: and)?|let['’]s|you can|can you|could you|so)\b[,.!\s]*)*(?:commit|push|amend|merge|(?:open|create) (?:a |the )?(?:pr|pull request))\b(?:[\s,]+(?:and|it|this|that|them|these|all|everything|the|a|your|my|changes?|work|code|push|commit|merge|to|into|main|master|origin|upstream|pr|pull request|branch|now|then|please|pls))*[\s.!?]*$/i,
  /^(?:(?:では|じゃあ|それでは)[、\s]*)?(?:コミット|プッシュ)(?:(?:と|して)、?(?:プッシュ|コミット))?(?:して(?:ください|おいて)?|(?:を)?お願い(?:します)?)?[。!！]*$/,
  /^(?:好的?[，,\s]*)?(?:请)?(?:把(?:它|代码|改动))?(?:提交|推送)(?:并(?:提交|推送))?(?:一下|代码|改动)?(?:吧)?[。!！]*$/,
  /^(?:이제 )?(?:커밋|푸시)(?:하고 (?:푸시|커밋))?(?:해\s?줘|해\s?주세요|하자|부탁(?:해|합니다))?[.!]*$/,
];
/** Asks for work, in the form of a question. */
const REQUEST =
  /\b(?:can|could|would|will) you\b|\b(?:please|let['’]s|shall we|should we|how about|what about|why not)\b|(?:てくれ|てもらえ|ていただけ|てください|ましょう|ませんか)|(?:能不能|可以|能否|要不要|帮我|请)|(?:줄래|주세요|주실|줄 수|할까|을까)/i;

/** The kind of a request that changes nothing of what is left to be done: a farewell, an order to commit, a bare question. */
export function asideOf(request: string): Aside | undefined {
  const text = request.replace(/\s+/g, " ").trim();
  if (text.length <= MOST_FAREWELL) {
    if (FAREWELLS.some((form) => form.test(text))) return "farewell";
    if (COMMITS.some((form) => form.test(text))) return "commit";
  }
  return text.length <= MOST_QUESTION && /[?？]$/.test(text) && !REQUEST.test(text) ? "question" : undefined;
}

const STEP_OF_COMMIT =
  /\b(?:commit|push|merge|pull request|PR)\b|コミット|プッシュ|マージ|提交|推送|合并|커밋|푸시|머지/i;

/** Steps, line by line, without those that a commit or a push was. */
export function withoutCommits(steps: string): string | undefined {
  const left = steps.split("\n").filter((step) => !STEP_OF_COMMIT.test(step));
  return left.length === 0 ? undefined : left.join("\n");
}
