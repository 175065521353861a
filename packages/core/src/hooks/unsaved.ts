import type { Caller } from "../access/caller.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { cutToTokens, estimateTokens } from "../text/tokens.ts";
import type { ToolPorts } from "../tool.ts";
import { type Carry, readCarry } from "../transcript/carry.ts";
import type { PromptHookInput } from "./inputs.ts";
import { type Language, languageOf } from "./language.ts";

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
export async function unsavedLine(
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
