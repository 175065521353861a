import { framed } from "../answers/sanitize-for-prompt.ts";
import { some } from "../answers/wire.ts";
import { isProtected, stateOf } from "../memory/memory.ts";
import { cut } from "../text/cut.ts";
import { invalid, type ToolPorts } from "../tool.ts";

interface ForgetTurnsInput {
  readonly conversation_id?: string | undefined;
  readonly text?: string | undefined;
  readonly dry_run: boolean;
  readonly confirm: boolean;
}

const SHOWN = 5;
const PREVIEW_CHARS = 120;

/** Whether the call asks to forget turns of a conversation. */
export const isOfTurns = ({ conversation_id: id, text }: Pick<ForgetTurnsInput, "conversation_id" | "text">): boolean =>
  id !== undefined || text !== undefined;

/**
 * Archives the turns of one conversation that contain an exact text, or all turns if no text is given. Without
 * `confirm` it only lists them; with it, it archives at most as many as the sweep limit.
 */
export async function forgetTurns(
  request: ForgetTurnsInput,
  { store, limits }: ToolPorts,
  projectKey: string | undefined,
) {
  const { conversation_id: conversationId, text = "", dry_run: isDry, confirm } = request;
  if (conversationId === undefined)
    throw invalid([{ path: "conversation_id", message: "is missing: `text` is of one" }]);
  if (text !== "" && text.trim() === "") throw invalid([{ path: "text", message: "is blank" }]);
  const cap = limits.sweepCap;
  const query = { conversationId, projectKey, limit: cap + 1 };
  if (isDry || !confirm) {
    const found = await store.conversations.turnsWith(text, query);
    const memories = await store.memories.byIds(found.slice(0, SHOWN));
    const preview = memories.map(({ content }) => cut(framed(content), PREVIEW_CHARS)).join("\n");
    return {
      ok: true as const,
      dry_run: true,
      matched: found.length,
      ids: found.slice(0, cap),
      ...(preview === "" ? {} : { preview }),
    };
  }
  return store.write(async (tx) => {
    const found = await tx.conversations.turnsWith(text, query);
    const memories = await tx.memories.byIds(found.slice(0, cap));
    const kept = memories.filter(isProtected);
    const ids: number[] = [];
    for (const memory of memories) {
      if (isProtected(memory) || stateOf(memory) !== "live") continue;
      await tx.memories.archive(memory, "forget");
      ids.push(memory.id);
    }
    return {
      ok: true as const,
      dry_run: false,
      matched: found.length,
      ids,
      ...some(
        "kept",
        kept.map(({ id }) => ({ id, reason: "protected" })),
      ),
      remaining: found.length - memories.length,
    };
  });
}
