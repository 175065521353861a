/** Kinds of a turn that leaves the work where it is. */
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
