import { linesIn } from "../sentences.ts";
import { isExplicit, isOutrightForm } from "./explicit.ts";
import { type Place, placesOf } from "./places.ts";
import { anyOf, type Sign, signsOf } from "./signs.ts";
import { BIAS, THRESHOLD, WEIGHTS } from "./weights.ts";

/** Circumstances of a turn that tell work from talk. */
export interface Circumstances {
  /** True if no tool was used since the last request: the agent's statements are then opinion or common knowledge. */
  readonly isTalk: boolean;
  /** Whether a file was changed since the last request. */
  readonly isAfterEdit: boolean;
}

/** A cause, a repair, a constraint or a choice that an agent states. */
export interface Finding {
  readonly text: string;
  readonly isChoice: boolean;
  /** Whether it says outright that it is a cause, a lesson or a way. */
  readonly isOutright: boolean;
}

// Forms that are no statement, whatever their words are, and words that speak of the moment instead of the matter.
const isNever = anyOf([
  "ask",
  "opens",
  "table",
  "heading",
  "quote",
  "deed",
  "item",
  "imperative",
  "plan",
  "guess",
  "speaker",
  "fine",
  "ought",
  "passing",
]);
// Some sentence must carry the matter: a line of names alone is a listing.
const isOfMatter = anyOf([
  "cause",
  "trouble",
  "because",
  "repair",
  "consequence",
  "denial",
  "only",
  "default",
  "must",
  "contrast",
  "quiet",
  "known",
  "choice",
  "place",
  "way",
  "change",
  "behaviour",
  "state",
  "equals",
  "lacks",
]);
// A sentence of these leans on the one before it, and completes it.
const COMPLETES: readonly Sign[] = ["repair", "because", "consequence", "denial", "only", "must", "contrast"];
const NOT_COMPLETING: readonly Sign[] = [
  "ask",
  "opens",
  "table",
  "heading",
  "plan",
  "guess",
  "reader",
  "speaker",
  "proposal",
  "fine",
  "ought",
  "passing",
];

// Score of a sentence that calls itself a cause, a lesson or a way: above any score of the model.
const OUTRIGHT = 100;
// Frequent openings and endings of sentences that state nothing, tested first because the test is fast.
const NO_STATEMENT =
  /^(?:[|#>✅❌]|(?:let me|let's|let’s|i'll|i’ll|i will|i |i've|i’ve|now |you |would |do you|done|all |added |updated |fixed |next)\b)|[:：?？]$/i;
const MIN_LENGTH = 40;
const MIN_CJK_LENGTH = 18;
const HAS_CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;
const MAX_LENGTH = 400;
// A turn with more of them is an essay or a review, whose points are of one moment.
const MOST_IN_A_TURN = 2;
// What begins with "this" or "it" must say the more by itself.
const LEANING = 0.6;

/** Finds in a turn of an agent the statements that a colleague would want later: at most two, the best ones. */
export function findingsIn(message: string, circumstances: Circumstances): Finding[] {
  const found: { text: string; isChoice: boolean; isOutright: boolean; score: number; nth: number }[] = [];
  const lines = linesIn(withoutLongLists(message));
  const least = leastOf(lines.reduce((sum, { sentences }) => sum + sentences.length, 0));
  for (const line of lines) {
    let before: (typeof found)[number] | undefined;
    for (const sentence of line.sentences) {
      const text = withoutNod(sentence);
      const isShort = text.length < (HAS_CJK.test(text) ? MIN_CJK_LENGTH : MIN_LENGTH);
      if (isShort || text.length > MAX_LENGTH) {
        before = undefined;
        continue;
      }
      if (!before && NO_STATEMENT.test(text)) continue;
      const isLabelled = isOutrightForm(text);
      const isLikely = !isNever(text) && isOfMatter(text);
      if (!isLikely && !isLabelled && !before) continue;
      const signs = signsOf(text);
      const isOutright = isLabelled && isExplicit(text, signs);
      const score = isOutright
        ? OUTRIGHT
        : isLikely
          ? scoreOf(signs, placesOf(lines, line, sentence), circumstances)
          : BIAS;
      const isCompleting = before !== undefined && completes(signs) && before.text.length + text.length < MAX_LENGTH;
      const more = signs.includes("pointer") ? LEANING : 0;
      // A sentence that may complete the one before it stands alone only if it would do so in any turn.
      if (score >= (isCompleting ? THRESHOLD : least) + more) {
        const isChoice = signs.includes("choice") && (isOutright || isAny(signs, ["because", "contrast"]));
        before = { text, isChoice, isOutright, score, nth: found.length };
        found.push(before);
        continue;
      }
      if (before && isCompleting) before.text += ` ${text}`;
      before = undefined;
    }
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_IN_A_TURN)
    .sort((a, b) => a.nth - b.nth)
    .map(({ text, isChoice, isOutright }) => ({ text, isChoice, isOutright }));
}

// "Right - the key is …": the nod answers the user, the rest is the statement.
const NOD =
  /^(?:good(?: (?:catch|question|news|point))?|right|great|nice|no|yes|yep|yeah|hmm|ah|oh|uh oh|ok(?:ay)?|perfect|interesting|indeed|exactly|correct|confirmed|wait|got it|found it|classic|sure)\b[,.!]?\s*(?:[—–:-]+\s+|(?<=[,.!] ))(?=[\p{Lu}\p{Ll}`"'])/iu;
const BEGINS_WITH_WORD = /^\p{Ll}\p{L}*(?= )/u;

function withoutNod(sentence: string): string {
  const rest = sentence.replace(NOD, "");
  return rest === sentence
    ? sentence
    : rest.replace(BEGINS_WITH_WORD, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

const POINT = /^\s*(?:[-*•・]|\d{1,3}[.)、])\s/;
/** A list with more points is a review or a plan, retold: what each of them says is of one moment, and often another's word. */
const MOST_POINTS = 8;

function withoutLongLists(text: string): string {
  const lines = text.split("\n");
  const points = lines.filter((line) => POINT.test(line));
  return points.length > MOST_POINTS ? lines.filter((line) => !POINT.test(line)).join("\n") : text;
}

const FEW_SENTENCES = 8;
const MANY_SENTENCES = 20;

/** Least score of a statement in a turn of so many sentences: who says little says what was found, and who says much retells. */
function leastOf(sentences: number): number {
  if (sentences <= FEW_SENTENCES) return THRESHOLD - 0.6;
  return sentences <= MANY_SENTENCES ? THRESHOLD - 0.4 : THRESHOLD;
}

/** Log odds that a sentence of these signs, said in these places, is worth keeping. */
function scoreOf(signs: readonly Sign[], places: readonly Place[], { isTalk, isAfterEdit }: Circumstances): number {
  const shown = [...signs, ...(isTalk ? (["talk"] as const) : []), ...(isAfterEdit ? (["edited"] as const) : [])];
  let score = places.reduce((sum, place) => sum + (WEIGHTS.get(place) ?? 0), BIAS);
  for (const [at, sign] of shown.entries()) {
    const { alone, beside } = weightsOf(sign);
    score += alone;
    for (const other of shown.slice(at + 1)) score += beside.get(other) ?? 0;
  }
  return score;
}

interface Weights {
  readonly alone: number;
  readonly beside: ReadonlyMap<string, number>;
}

// By sign, made at its first use: joining two names for each pair costs more than all forms of a sentence.
const bySign = new Map<string, Weights>();

function weightsOf(sign: string): Weights {
  const known = bySign.get(sign);
  if (known) return known;
  const pairs = [...WEIGHTS].flatMap(([name, weight]): [string, number][] =>
    name.startsWith(`${sign}+`) ? [[name.slice(sign.length + 1), weight]] : [],
  );
  const made = { alone: WEIGHTS.get(sign) ?? 0, beside: new Map(pairs) };
  bySign.set(sign, made);
  return made;
}

const completes = (signs: readonly Sign[]): boolean => isAny(signs, COMPLETES) && !isAny(signs, NOT_COMPLETING);

const isAny = (signs: readonly Sign[], wanted: readonly Sign[]): boolean => signs.some((sign) => wanted.includes(sign));
