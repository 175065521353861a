import type { Embedder } from "@chest/core/ports";

const never = new AbortController().signal;

export const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, at) => sum + x * (b[at] ?? 0), 0);

/** Embeds a question. Throws where the embedder gives no vector. */
export async function vectorOf(text: string, embedder: Embedder): Promise<Float32Array> {
  const vector = await embedder.embedQuery(text, never);
  if (!vector) throw new Error("there is no vector");
  return vector;
}
