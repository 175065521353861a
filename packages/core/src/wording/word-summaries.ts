import { canonical } from "../memory/canonical.ts";
import type { Llm, LlmFailure } from "../ports/models/llm.ts";
import type { Store } from "../ports/store.ts";
import { parsedJson } from "../text/json.ts";
import { isObject } from "../tool.ts";
import { askModel } from "./ask-model.ts";

const MAX_CHARS = 3000;
const TASK =
  "These notes of software developers are about one topic. Put them into one: plain sentences, at most 150 words. Say where notes contradict each other.";

export interface WordedSummaries {
  readonly upgraded: number;
  /** Reasons for which the other summaries still quote. */
  readonly reasons: readonly (LlmFailure | "changed")[];
}

/**
 * Lets a model reword summaries of a consolidation. Only the leading sentence changes, so that a question which finds
 * an original still finds the summary. The quoted text is the version before.
 */
export async function wordSummaries(
  ids: readonly number[],
  store: Store,
  llm: Llm,
  signal: AbortSignal,
): Promise<WordedSummaries> {
  const reasons: (LlmFailure | "changed")[] = [];
  let upgraded = 0;
  for (const memory of await store.memories.byIds(ids)) {
    const whole = parsedJson(memory.content);
    if (!isObject(whole) || whole.source !== "consolidation" || !Array.isArray(whole.replaced_ids)) continue;
    const sources = await store.memories.byIds(whole.replaced_ids.filter((id) => Number.isInteger(id)));
    const wording = await askModel(llm, { task: TASK, sources, maxChars: MAX_CHARS, maxTokens: 400 }, signal);
    if (!("text" in wording)) {
      reasons.push(wording.failure);
      if (wording.failure !== "unusable") break;
      continue;
    }
    const pattern = wording.text.content.replace(/\s+/g, " ");
    const text = canonical(JSON.stringify({ ...whole, pattern }, undefined, 1));
    const isDone = await store.write(async (tx) => {
      const now = await tx.memories.byId(memory.id);
      if (now?.version !== memory.version) return false;
      await tx.memories.reword(now, text, llm.state().model ?? "");
      return true;
    });
    if (isDone) upgraded += 1;
    else reasons.push("changed");
  }
  return { upgraded, reasons: [...new Set(reasons)] };
}
