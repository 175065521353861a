import { CJK, GIVES_REASON, refusalOf, type SentenceReason, sentencesIn } from "../sentences.ts";
import { findingsIn } from "./findings.ts";
import { isLastingRule, withoutOrderBefore } from "./lasting.ts";
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
    .map(withoutOrderBefore)
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
  /\b(?:deci(?:ded|sion)|agreed|settled|chosen?|picked|(?:went|gone|stayed|stuck) with|opted|let['’]s|going with|we(?:['’]ll| will| should)? (?:go|use|stick|switch|standardi[sz]e|keep|adopt|settle)|causes?|culprit|reason|issue|problem|bug|fix(?:ed)?|workaround|turn(?:s|ed) out)\b|決|採用|行こ|いこ|しよう|しましょう|ことにし|决定|采用|统一|改用|就用|我们|원인|문제|결정|정했|기로|채택|가자|하자|합시다|原因|問題|问题|修正|直し|修复|解决|해결|고쳤/i;

const DECIDED =
  /^(?:(?:ok|okay|so|then|right|alright|fine|yes)[,:.]?\s+)*(?:decision\s*:|decided\s*:|the decision is\b|(?:we|i)(?:['’]ve| have)? (?:have )?(?:decided|agreed|settled|chosen|chose|opted) (?:to|on|that|for|against|with|not)\b(?! (?:meet|call|talk|wait|skip|postpone|discuss|have|go home|start|try|look|take|ask|see)\b))/i;
// "We went with X over Y because …": a choice that is told with what it was chosen over, or why.
const CHOSE =
  /^(?:(?:ok|okay|so|then|right|alright|fine|yes|btw)[,:.]?\s+)*(?:we|i)(?:['’]ve| have)? (?:chosen?|picked|went with|gone with|opted for|stayed with|stuck with|settled on)\b/i;
const DECIDING =
  /^(?:(?:ok|okay|so|then|right|alright|fine|yes)[,:.]?\s+)*(?:let['’]s (?:go with|use|stick (?:with|to)|switch to|standardi[sz]e on|keep|adopt)\b|we(?:['’]ll| will| should| are going to|['’]re going to)? (?:go with|use|stick (?:with|to)|switch to|standardi[sz]e on|settle on|adopt|keep)\b|going with\b)/i;
const DECIDED_IN_CJK =
  /に決め(?:た|ました)|に決定|を採用|ことに(?:した|しました|決)|决定|采用|统一(?:使用|用)|(?:으로|로)\s*(?:결정|정했|정하기로)|(?:쓰|사용하|유지하|하|두|않)기로|채택/u;
const DECIDING_IN_CJK =
  /で(?:行|い)(?:こう|きましょう|きます)|に(?:しよう|しましょう|します)|改用|就用|我们(?:用|使用|选)|(?:으로|로)\s*(?:가자|갑시다|하자|합시다)/u;
const REASONED = new RegExp(
  String.raw`${GIVES_REASON.source}|\b(?:instead of|rather than|as (?:it|we|they|the))\b|代わり|而不是|代替|대신|(?:해서|아서|어서)[ ,]`,
  "iu",
);
// A choice has a name: a product, an identifier, a number.
const NAMED =
  /`[^`]+`|(?<=\S\s)[A-Z][A-Za-z0-9]+|(?<![A-Za-z0-9])[A-Za-z0-9]+[-_./:@][A-Za-z0-9]+|\b[A-Za-z]+\d+|\d+|\b[A-Z]{2,}\b/;
const NAMED_IN_CJK = /[A-Za-z][A-Za-z0-9._/-]+|\p{Script=Katakana}{3,}|「[^「」]+」|“[^“”]+”|\d+/u;
/** A decision that was made, with its reason or the name of its choice; one that is being made needs both. */
function isDecision(text: string): boolean {
  const isCjk = CJK.test(text);
  const isNamed = (isCjk ? NAMED_IN_CJK : NAMED).test(text);
  const isReasoned = REASONED.test(text);
  if ((isCjk ? DECIDED_IN_CJK : DECIDED).test(text)) return isReasoned || isNamed;
  if (CHOSE.test(text)) return GIVES_REASON.test(text);
  return (isCjk ? DECIDING_IN_CJK : DECIDING).test(text) && isReasoned && isNamed;
}
