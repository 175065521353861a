import type { Wrap } from "../executor.ts";
import { sha1 } from "../memory/canonical.ts";
import type { Engine } from "../ports/engine.ts";

/**
 * Hands out the words that a write left without a vector, where the caller's own model is to embed them. They are read
 * after the write: a first answer that is given again holds no content.
 * @param isForCallers nobody else will embed them.
 */
export const handOutText =
  (engine: Pick<Engine, "as">, isForCallers: () => Promise<boolean>): Wrap =>
  (next) => ({
    async execute(name, input, call) {
      const answer = await next.execute(name, input, call);
      if (!isPending(answer) || !(await isForCallers())) return answer;
      const memory = await engine.as(call).memories.byId(answer.memory_id);
      if (!memory) return answer;
      const { content } = memory;
      const words = { text_for_embedding: content, content_sha1: sha1(content) };
      return { ...answer, embedding: { ...answer.embedding, ...words } };
    },
  });

interface Pending {
  readonly memory_id: number;
  readonly embedding: { readonly status: "pending" };
}

function isPending(answer: object): answer is Pending {
  const { memory_id, embedding } = answer as Partial<Pending>;
  return typeof memory_id === "number" && embedding?.status === "pending";
}
