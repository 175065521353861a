import type { Stage } from "../executor.ts";
import { sha1 } from "../memory/canonical.ts";
import type { EmbedSoon, PendingText } from "../ports/pending.ts";
import type { Store } from "../ports/store.ts";

/**
 * Stored text by the answer of the call: kept outside of the answer, because answers are stored for repeats without it.
 */
const stored = new WeakMap<object, string>();

/** Remembers the text that a call stored, for `pendingText`. */
export const noteStored = (answer: object, content: string): void => void stored.set(answer, content);

/**
 * The text that a write left without a vector. After a replay the text is read from the store, since a stored answer
 * holds no content.
 */
export async function pendingText(
  answer: object,
  store: () => Pick<Store, "memories">,
): Promise<PendingText | undefined> {
  // A duplicate's text was handed out before, or has a vector already.
  if (!isPending(answer) || answer.action === "duplicate" || answer.action === "merged") return undefined;
  const text = stored.get(answer) ?? (await store().memories.contentOf(answer.memory_id));
  return text === undefined ? undefined : { id: answer.memory_id, text, contentSha1: sha1(text) };
}

/** The answer with the text to embed, for a client that does. */
export const withText = <A>(answer: A, { text, contentSha1 }: PendingText): A => ({
  ...answer,
  embedding: { ...(answer as Partial<Pending>).embedding, text_for_embedding: text, content_sha1: contentSha1 },
});

/** Takes the text for embedding out of a backend's answers: a program needs it, not an agent. */
export const takeText =
  (embedSoon: EmbedSoon | undefined): Stage =>
  async (request, next) => {
    const answer = await next(request);
    const { embedding, memory_id: id } = answer;
    if (embedding === null || typeof embedding !== "object") return answer;
    const { text_for_embedding: text, content_sha1: contentSha1, ...shown } = embedding as Record<string, unknown>;
    const isWhole = typeof id === "number" && typeof text === "string" && typeof contentSha1 === "string";
    if (isWhole && shown.status === "pending") embedSoon?.([{ id, text, contentSha1 }]);
    return { ...answer, embedding: shown };
  };

interface Pending {
  readonly action?: unknown;
  readonly memory_id: number;
  readonly embedding: { readonly status: "pending" };
}

function isPending(answer: object): answer is Pending {
  const { memory_id, embedding } = answer as Partial<Pending>;
  return typeof memory_id === "number" && embedding?.status === "pending";
}
