import { endpoints } from "@chest/contracts";
import { z } from "zod";
import type { Reach } from "../access/space.ts";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { numeral } from "../arguments/numeral.ts";
import type { Memory } from "../memory/memory.ts";
import { defineOperation } from "../operation.ts";
import type { Store } from "../ports/store.ts";
import { parsedJson } from "../text/json.ts";

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Lists conversations of one project, or of none, most used first; only those with turns that the caller may see. */
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

/** Fields of a conversation's address. */
const CONVERSATION_FIELDS = {
  params: z.strictObject({ id: z.string().min(1).max(200) }),
  query: z.strictObject({ project: z.string().min(1).max(500).optional(), limit: numeral(1, 200).default(100) }),
} as const;

/** Turns of one conversation that the caller may see, newest first. */
export const conversationTurns = defineOperation({
  endpoint: endpoints.conversation,
  params: CONVERSATION_FIELDS.params,
  query: CONVERSATION_FIELDS.query,
  isPlaced: true,
  async run({ params: { id: conversationId }, query: { project: projectKey, limit } }, { store }) {
    const { conversations, memories, listings } = store;
    const turns = await conversations.turns({ conversationId, projectKey, limit });
    const found = await memories.byIds(turns.map(({ id }) => id));
    const { authors } = await listings.names(found);
    const byId = new Map(found.map((memory) => [memory.id, memory]));
    return {
      _notice: NOTICE,
      ok: true as const,
      turns: turns.flatMap(({ id, at }) => {
        const memory = byId.get(id);
        if (!memory) return [];
        return [{ id, at: at.toISOString(), content: memory.content, author: authors.get(memory.authorId) ?? "" }];
      }),
    };
  },
});

/** Memories with a trigger condition, most important first, with the condition as it was written. */
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

const triggerItem = ({ id, name, content, importance }: Memory, condition: string) => ({
  id,
  ...(name === undefined ? {} : { name }),
  trigger: parsedJson(condition) ?? condition,
  importance,
  content,
});
