import type { Reach } from "../access/space.ts";
import { parsedJson } from "../json.ts";
import type { Memory } from "../memory/memory.ts";
import type { Store } from "../ports/store.ts";

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Conversations of one project, or of none, the most used first: those whose turns the caller may see. */
export async function listConversations(
  { conversations }: Pick<Store, "conversations">,
  { projectKey, limit, offset }: Page & { readonly projectKey: string | undefined },
) {
  const { total, conversations: found } = await conversations.list({ projectKey, limit, offset });
  const items = found.map(({ id, turns, firstAt, lastAt, score }) => ({
    conversation_id: id,
    turns,
    first_at: firstAt.toISOString(),
    last_at: lastAt.toISOString(),
    score,
  }));
  return { total, items };
}

/** Memories with a condition, the most important first; the condition as it was given. */
export async function listTriggers(
  { triggers, memories }: Pick<Store, "triggers" | "memories">,
  { reach, limit, offset }: Page & { readonly reach: Reach },
) {
  const all = await triggers.all(reach);
  const page = all.slice(offset, offset + limit);
  const found = new Map((await memories.byIds(page.map(({ memoryId }) => memoryId))).map((one) => [one.id, one]));
  const items = page.flatMap(({ memoryId, condition }) => {
    const memory = found.get(memoryId);
    return memory ? [triggerItem(memory, condition)] : [];
  });
  return { total: all.length, items };
}

const triggerItem = ({ id, content, importance }: Memory, condition: string) => ({
  id,
  trigger: parsedJson(condition) ?? condition,
  importance,
  content,
});
