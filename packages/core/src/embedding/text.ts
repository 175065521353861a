import type { Wrap } from "../executor.ts";
import { sha1 } from "../memory/canonical.ts";
import type { Engine } from "../ports/engine.ts";
import type { PendingText } from "../ports/pending.ts";

/** Words that an answer's own call has stored, beside the answer: it is kept for repeats without them. */
const stored = new WeakMap<object, string>();

/** Notes the words that a call has stored for the one who hands them out. */
export const noteStored = (answer: object, content: string): void => void stored.set(answer, content);

/**
 * Hands out the words that a write left without a vector.
 * Those of another call are read after the write: a first answer that is given again holds no content.
 */
export const handOutText =
  (engine: Pick<Engine, "as">): Wrap =>
  (next) => ({
    async execute(name, input, call) {
      const answer = await next.execute(name, input, call);
      // Words that were stored before were handed out then, or have their vector already.
      if (!isPending(answer) || answer.action === "duplicate" || answer.action === "merged") return answer;
      const content = stored.get(answer) ?? (await engine.as(call).memories.contentOf(answer.memory_id));
      if (content === undefined) return answer;
      const words = { text_for_embedding: content, content_sha1: sha1(content) };
      return { ...answer, embedding: { ...answer.embedding, ...words } };
    },
  });

/** The words that an answer hands out to be embedded; undefined when it hands out none. */
export function textToEmbed(answer: object): PendingText | undefined {
  if (!isPending(answer)) return undefined;
  const { text_for_embedding: text, content_sha1: contentSha1 } = answer.embedding as Readonly<Record<string, unknown>>;
  if (typeof text !== "string" || typeof contentSha1 !== "string") return undefined;
  return { id: answer.memory_id, text, contentSha1 };
}

/**
 * Takes the words that were handed out for embedding off an answer: they are for a program that embeds, not for an agent.
 * @param isTaken asked for every answer that has them.
 */
export const withoutTextToEmbed =
  (isTaken: () => Promise<boolean> = async () => true): Wrap =>
  (next) => ({
    async execute(name, input, call) {
      const answer = await next.execute(name, input, call);
      const { embedding } = answer as { embedding?: unknown };
      if (embedding === null || typeof embedding !== "object" || !(await isTaken())) return answer;
      const { text_for_embedding, content_sha1, ...shown } = embedding as Record<string, unknown>;
      return { ...answer, embedding: shown };
    },
  });

interface Pending {
  readonly action?: unknown;
  readonly memory_id: number;
  readonly embedding: { readonly status: "pending" };
}

function isPending(answer: object): answer is Pending {
  const { memory_id, embedding } = answer as Partial<Pending>;
  return typeof memory_id === "number" && embedding?.status === "pending";
}
