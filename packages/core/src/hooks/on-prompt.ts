import type { Caller } from "../access/caller.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { NEVER_UNASKED } from "../continuity/briefing.ts";
import type { Candidate } from "../recall/candidates.ts";
import { readQuery } from "../recall/query.ts";
import { termsOf } from "../text/segment.ts";
import { cutToTokens, estimateTokens } from "../text/tokens.ts";
import type { ToolPorts } from "../tool.ts";
import { type Carry, readCarry } from "../transcript/carry.ts";
import { triggeredFor } from "../triggers/triggered.ts";
import { type Block, type HookEntry, idsOf, recallBlock, shownLines, withDoubts } from "./block.ts";
import type { PromptHookInput } from "./inputs.ts";
import { type Language, languageOf } from "./language.ts";
import { type OnSkip, passiveRecall } from "./lessons.ts";
import { handoffFor, take } from "./on-session.ts";
import { isWorthAsking } from "./worth-asking.ts";

const MAX_QUERY = 2000;
const MOST_ROWS = 3;
const WIDTH = 600;
// Least share of the prompt's terms that a memory must contain. In CJK half of the grams fall between words.
const COVERED = 0.4;
const COVERED_CJK = 0.2;
/** Least confidence of a hit that was found by meaning alone. */
const MEANT = 0.5;
// Coverage goes by how rare a word is, which a store of a few rows cannot tell.
const MOST_WORDS = 0.5;
const MIN_WORDS = 2;
/** Score below which a row that shares some words with a prompt has never been of use to it. */
const LEAST_SCORE = 0.1;
/** Rows below this share of the best row's weight are left out. */
const LEAST_SHARE = 0.6;

/** Answer to a prompt: nothing, or a block with the ids of the memories in it. */
type PromptAnswer = { ok: true; context?: string; shown?: number[]; unsaved?: "asked" };

/**
 * Answers a prompt with memories whose trigger holds and at most three that concern it, none of them shown before; once a
 * session, with a line that asks the agent to save what it found out.
 */
export async function onPrompt(input: PromptHookInput, ports: ToolPorts, caller: Caller): Promise<PromptAnswer> {
  const { text, lines, unsaved } = await promptBlock(input, ports, caller, { claim: take });
  if (text === "") return { ok: true };
  ports.store.noteImpressions({ session: input.session_id, surface: "prompt", lines: shownLines(lines) });
  return { ok: true, context: text, shown: idsOf(lines), ...(unsaved === undefined ? {} : { unsaved: "asked" }) };
}

interface PromptOptions {
  /** Claims the work of the last session, if the prompt continues it. */
  readonly claim: typeof take;
  readonly onSkip?: OnSkip | undefined;
}

/** All that a prompt is answered with. Nothing is noted, and no more taken than `claim` takes. */
export async function promptBlock(
  input: PromptHookInput,
  ports: ToolPorts,
  caller: Caller,
  { claim, onSkip }: PromptOptions,
): Promise<Block & { readonly unsaved: string | undefined }> {
  const handoff = input.is_first ? await handoffFor(input, ports, caller, claim) : undefined;
  const told = idsOf(handoff?.lines ?? []);
  const triggered = await holding({ ...input, shown: [...input.shown, ...told] }, ports, caller);
  const shown = [...input.shown, ...told, ...idsOf(triggered?.lines ?? [])];
  const found = await concerning({ ...input, shown }, ports, onSkip);
  const unsaved = await unsavedLine(input, ports, caller);
  return {
    text: [handoff?.text, triggered?.text, found?.text, unsaved].filter(Boolean).join("\n"),
    lines: [handoff, triggered, found].flatMap((block) => block?.lines ?? []),
    unsaved,
  };
}

/** The block of memories that are meant for such a moment. */
async function holding({ prompt, files, shown }: PromptHookInput, { store, clock }: ToolPorts, { project }: Caller) {
  const now = clock.now();
  const messages = [{ role: "user" as const, content: prompt }];
  const memories = await triggeredFor(store, { messages, now, project, files }, shown);
  const rows = memories.map((memory): HookEntry => ({ memory, reason: { kind: "triggered" } }));
  const language = languageOf(prompt);
  const told = await withDoubts(rows, store);
  return recallBlock({ occasion: "triggered", language, rows: told, width: WIDTH, now });
}

async function concerning(input: PromptHookInput, ports: ToolPorts, onSkip: OnSkip | undefined) {
  const prompt = input.prompt.replace(/\s+/g, " ").trim();
  if (!isWorthAsking(prompt)) return undefined;
  const language = languageOf(prompt);
  const enough = language === "en" ? COVERED : COVERED_CJK;
  const { words } = readQuery(prompt.slice(0, MAX_QUERY), ports.ranking.synonyms);
  return await passiveRecall(
    {
      event: input,
      occasion: "prompt",
      language,
      limit: MOST_ROWS,
      files: input.files,
      width: WIDTH,
      query: prompt.slice(0, MAX_QUERY),
      withoutRules: NEVER_UNASKED,
      leastShare: LEAST_SHARE,
      onSkip,
      isFit: (candidate) =>
        candidate.score.composite >= LEAST_SCORE &&
        (isAbout(candidate, enough) || holdsMost(candidate.memory.content, words)),
    },
    ports,
  );
}

function isAbout({ fused }: Candidate, enough: number): boolean {
  return (fused?.words?.coverage ?? 0) >= enough || (fused?.semantic ?? 0) >= MEANT;
}

function holdsMost(content: string, words: readonly string[]): boolean {
  const held = new Set(termsOf(content).words);
  const found = words.filter((word) => held.has(word)).length;
  return found >= MIN_WORDS && found >= MOST_WORDS * words.length;
}

/** Most tokens of the line. */
const MOST_TOKENS = 60;

const ASKED: Readonly<Record<Language, readonly [before: string, after: string]>> = {
  en: ['Chest: nothing of this session is saved yet. If it helps later sessions, save it with chest_remember: "', '"'],
  ja: ["Chest: このセッションはまだ何も保存していません。今後役立つなら chest_remember で保存: 「", "」"],
  zh: ["Chest：本次会话尚未保存内容。若以后有用，请用 chest_remember 保存：“", "”"],
  ko: ["Chest: 이 세션은 아직 저장한 것이 없습니다. 나중에 도움이 되면 chest_remember로 저장: “", "”"],
};

/**
 * Words the line that asks an agent to save what its session found out: it knows best what is worth it. Undefined where
 * the session found nothing, where the agent has saved something, and where the session was asked before.
 */
async function unsavedLine(
  { session_id: session, prompt, is_asked: isAsked }: PromptHookInput,
  { store }: Pick<ToolPorts, "store">,
  { scopes }: Pick<Caller, "scopes">,
): Promise<string | undefined> {
  if (session === undefined || isAsked || !scopes.has("write")) return undefined;
  const carry = readCarry((await store.sessions.progress(session))?.carry);
  const isSaving = [carry.saved, carry.saving].some((ids) => ids !== undefined && ids.length > 0);
  const found = isSaving ? undefined : foundIn(carry);
  if (found === undefined) return undefined;
  const [before, after] = ASKED[languageOf(prompt)];
  return `${before}${cutToTokens(framed(found), MOST_TOKENS - estimateTokens(before + after))}${after}`;
}

/** Finds the statement that was settled or learned last, else the last failure that was mended. */
function foundIn({ learned = [], failing }: Carry): string | undefined {
  const mended = failing.findLast(({ isMended }) => isMended === true);
  return learned.at(-1) ?? (mended && `${mended.command}: ${mended.error}`);
}
