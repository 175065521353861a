import type { Embedder, EmbedderFor } from "@chest/core/ports";

export type QuestionListener = (outcome: "ok" | "late" | "failed", seconds: number) => void;

/** Wraps embedders so that they report how long each query embedding takes. */
export const timedEmbedders =
  (of: EmbedderFor, note: QuestionListener): EmbedderFor =>
  (identity) =>
    timed(of(identity), note);

function timed(embedder: Embedder, note: QuestionListener): Embedder {
  return {
    identity: embedder.identity,
    embedNow: embedder.embedNow,
    tellingTerms: embedder.tellingTerms,
    closeness: embedder.closeness,
    state: () => embedder.state(),
    embedPassages: (texts, signal) => embedder.embedPassages(texts, signal),
    close: () => embedder.close(),
    async embedQuery(text, signal) {
      const startedAt = performance.now();
      let vector: Float32Array | undefined;
      try {
        vector = await embedder.embedQuery(text, signal);
        return vector;
      } finally {
        note(vector ? "ok" : signal.aborted ? "late" : "failed", (performance.now() - startedAt) / 1000);
      }
    },
  };
}
