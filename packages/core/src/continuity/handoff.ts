import type { GitMark, HandoffKind, LastWork, SessionTrace } from "../ports/sessions.ts";
import { termsOf } from "../text/segment.ts";
import { readCarry } from "../transcript/carry.ts";
import { effectiveLength } from "../transcript/noise.ts";

const HOUR_MS = 3_600_000;
const LIFE_MS: Readonly<Record<HandoffKind, number>> = {
  compact: 168 * HOUR_MS,
  clear: 6 * HOUR_MS,
  exit: 168 * HOUR_MS,
};
/** While the repository stays at the same commit, unfinished work is offered for at least this long. */
const SAME_COMMIT_MS = 72 * HOUR_MS;

/** Whether unfinished work is still worth continuing. */
export function isAlive({ kind, createdAt, git }: LastWork, here: Partial<GitMark>, now: Date): boolean {
  const life = isSameCommit(git, here) ? Math.max(LIFE_MS[kind], SAME_COMMIT_MS) : LIFE_MS[kind];
  return now.getTime() - createdAt.getTime() < life;
}

const isSameCommit = (a: Partial<GitMark>, b: Partial<GitMark>): boolean =>
  a.commit !== undefined && a.commit === b.commit;

/** Whether the repository is at another commit or branch than when the work was left; false if either is unknown. */
export const isElsewhere = (a: Partial<GitMark>, b: Partial<GitMark>): boolean =>
  a.commit !== undefined && b.commit !== undefined && a.commit !== b.commit;

const GOES_ON =
  /\b(?:continue|resume|carry on|go on|keep going|pick up|proceed|where (?:were|did|was) (?:we|i|you)|what(?:['’]s| is) (?:left|next|still open))\b|继续|繼續|接着|接著|続け|続き|つづき|再開|계속|이어서|재개|残りは|还剩|남은/i;
/** Characters at the start of a prompt that are searched for words like "continue": later they belong to the task. */
const OPENING = 100;
const SHORT = 40;
/** Length from which a prompt describes its own task: a plan, a ticket, a report. */
const LONG = 400;
const ENOUGH = 3;
const TELLING = /[\d_./\\-]|\p{Ll}\p{Lu}/u;
const MOST_KEYWORDS = 80;

/**
 * Whether the first prompt of a session continues the previous one. After a cleared context the prompt has to say so
 * explicitly. A long prompt is taken as a new task, since it shares words with any work on the same code.
 */
export function goesOn(prompt: string, { keywords, git, kind }: LastWork, here: Partial<GitMark>): boolean {
  if (GOES_ON.test(prompt.slice(0, OPENING))) return true;
  if (kind === "clear" || effectiveLength(prompt) > LONG) return false;
  if (isSameCommit(git, here) && effectiveLength(prompt, 3) < SHORT) return true;
  const said = new Set(wordsOf(prompt).map((word) => word.toLowerCase()));
  const shared = keywords.filter((keyword) => said.has(keyword.toLowerCase()));
  return shared.reduce((sum, keyword) => sum + (TELLING.test(keyword) ? 2 : 1), 0) >= ENOUGH;
}

/** Keywords of a session's work, to recognise a prompt about it: from its requests, files and failures. */
export function keywordsOf({ files, memories, carry: kept }: SessionTrace, requests: readonly string[]): string[] {
  const carry = readCarry(kept);
  const asked = memories.flatMap(({ memory, rule }) =>
    rule === "first_intent" || rule === "clarification" || memory.layer === "goal" ? [memory.content] : [],
  );
  const open = carry.failing.flatMap(({ isOpen, error }) => (isOpen ? [error] : []));
  const names = files.flatMap(({ path }) => [path.slice(path.lastIndexOf("/") + 1)]);
  const texts = [...names, carry.intent?.text ?? "", ...asked, ...requests, ...open];
  return [...new Set(texts.flatMap(wordsOf).map((word) => word.toLowerCase()))].slice(0, MOST_KEYWORDS);
}

const TOKEN = /[\p{L}\p{N}_][\p{L}\p{N}_./-]*[\p{L}\p{N}_]/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const COMMON = new Set(
  "please about after again also been before does done from have here into just like make need only should some than that their them then there these they this those very want what when where which will with would your must never always could".split(
    " ",
  ),
);

/** Words of four letters or more without common request words; for scripts without spaces, search terms. */
function wordsOf(text: string): string[] {
  const spaced = (text.match(TOKEN) ?? []).filter(
    (word) => word.length >= 4 && !CJK.test(word) && !COMMON.has(word.toLowerCase()),
  );
  return CJK.test(text)
    ? [...spaced, ...termsOf(text).words.filter((word) => CJK.test(word) && word.length > 1)]
    : spaced;
}
