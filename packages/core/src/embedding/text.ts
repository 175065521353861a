import type { Wrap } from "../executor.ts";
import { sha1 } from "../memory/canonical.ts";
import type { Engine } from "../ports/engine.ts";
import type { PendingText } from "../ports/pending.ts";

/**
 * Stored text by the answer of the call: kept outside of the answer, because answers are stored for repeats without it.
 */
const stored = new WeakMap<object, string>();

/** Remembers the text that a call stored, for `handOutText`. */
export const noteStored = (answer: object, content: string): void => void stored.set(answer, content);

/**
 * Adds to the answer the text that a write left without a vector. After a replay the text is read from the store, since
 * a stored answer holds no content.
 */
export const handOutText =
  (engine: Pick<Engine, "as">): Wrap =>
  (next) => ({
    async execute(name, input, call) {
      const answer = await next.execute(name, input, call);
      // A duplicate's text was handed out before, or has a vector already.
      if (!isPending(answer) || answer.action === "duplicate" || answer.action === "merged") return answer;
      const content = stored.get(answer) ?? (await engine.as(call).memories.contentOf(answer.memory_id));
      if (content === undefined) return answer;
      const words = { text_for_embedding: content, content_sha1: sha1(content) };
      return { ...answer, embedding: { ...answer.embedding, ...words } };
    },
  });

/** The text that an answer contains for embedding; undefined if it has none. */
export function textToEmbed(answer: object): PendingText | undefined {
  if (!isPending(answer)) return undefined;
  const { text_for_embedding: text, content_sha1: contentSha1 } = answer.embedding as Readonly<Record<string, unknown>>;
  if (typeof text !== "string" || typeof contentSha1 !== "string") return undefined;
  return { id: answer.memory_id, text, contentSha1 };
}

/**
 * Removes the text for embedding from an answer: a program needs it, not an agent.
 * @param isTaken asked for every answer that has one.
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
