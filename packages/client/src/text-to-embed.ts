import type { Wrap } from "@chest/core";

/** Takes the words that a backend hands out for embedding off an answer: they are for the client, not for the agent. */
export const withoutTextToEmbed: Wrap = (next) => ({
  async execute(name, input, call) {
    const answer = await next.execute(name, input, call);
    const { embedding } = answer as { embedding?: unknown };
    if (embedding === null || typeof embedding !== "object") return answer;
    const { text_for_embedding, content_sha1, ...shown } = embedding as Record<string, unknown>;
    return { ...answer, embedding: shown };
  },
});
