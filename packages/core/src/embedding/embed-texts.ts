import { ChestError } from "@chest/contracts";
import type { Embedder, Embedding } from "../ports/embedder.ts";
import type { PendingQueue, PendingText } from "../ports/pending.ts";
import type { Push, Pushed } from "./push.ts";

/** Outcome of embedding some texts. */
export interface Embedded {
  readonly stored: readonly number[];
  /** Indexes of texts longer than the model's limit: only their beginning was embedded. */
  readonly cut: readonly number[];
  /** `content_changed`: the text changed twice during embedding; `gone`: the memory was forgotten. */
  readonly skipped: readonly { readonly id: number; readonly reason: "content_changed" | "gone" }[];
  /** Texts that could not be embedded; they stay pending. */
  readonly failed: readonly { readonly id: number; readonly error: ChestError }[];
}

/** Texts to embed, and the destination of their vectors. */
export interface Work {
  readonly queue: Pick<PendingQueue, "store">;
  readonly embedder: Embedder;
  readonly signal: AbortSignal;
}

/**
 * Embeds texts and stores their vectors. A text that changed during embedding is embedded again, once. Undefined if the
 * model is unavailable: nothing was stored.
 */
export async function embedTexts(work: Work, texts: readonly PendingText[]): Promise<Embedded | undefined> {
  const first = await attempt(work, texts);
  if (!first) return undefined;
  const changed = first.results.flatMap(({ error }) => (error ? (newText(error) ?? []) : []));
  const second = changed.length > 0 ? await attempt(work, changed) : undefined;
  const retried = new Set(second ? changed.map(({ id }) => id) : []);
  const results = [...first.results.filter(({ id }) => !retried.has(id)), ...(second?.results ?? [])];
  const refused = results.flatMap(({ id, error }) => (error ? [{ id, error }] : []));
  const stored = results.filter(({ error }) => !error).map(({ id }) => id);
  const cut = new Set([...first.cut, ...(second?.cut ?? [])]);
  const reasonOf = ({ code }: ChestError) => SKIPPED.get(code);
  return {
    stored,
    cut: stored.filter((id) => cut.has(id)),
    skipped: refused.flatMap(({ id, error }) => {
      const reason = reasonOf(error);
      return reason ? [{ id, reason }] : [];
    }),
    failed: [...refused.filter(({ error }) => !reasonOf(error)), ...first.failed, ...(second?.failed ?? [])],
  };
}

const SKIPPED = new Map<string, "content_changed" | "gone">([
  ["CONTENT_CHANGED", "content_changed"],
  ["NOT_FOUND", "gone"],
]);

interface Attempt {
  readonly results: readonly Pushed[];
  readonly failed: Embedded["failed"];
  readonly cut: readonly number[];
}

async function attempt(work: Work, texts: readonly PendingText[]): Promise<Attempt | undefined> {
  const { identity } = work.embedder;
  if (!identity) return undefined;
  const made = (await embeddingsOf(work, texts)) ?? (await oneByOne(work, texts));
  if (!made) return undefined;
  const pushes: Push[] = texts.flatMap(({ id, contentSha1 }, at) => {
    const vector = made[at]?.vector;
    return vector ? [{ id, contentSha1, vector }] : [];
  });
  const failed = texts.flatMap(({ id }, at) => (made[at] ? [] : [{ id, error: noVector() }]));
  const cut = texts.flatMap(({ id }, at) => (made[at]?.isCut ? [id] : []));
  return { results: pushes.length > 0 ? await work.queue.store(identity, pushes) : [], failed, cut };
}

type Embeddings = readonly (Embedding | undefined)[];

async function embeddingsOf(
  { embedder, signal }: Work,
  texts: readonly Pick<PendingText, "text">[],
): Promise<Embeddings | undefined> {
  try {
    return await embedder.embedPassages(
      texts.map(({ text }) => text),
      signal,
    );
  } catch {
    return undefined; // Its state says why, and the rows stay pending.
  }
}

/** A text that the model refuses must not stop the others; if it refuses every text, the model is at fault. */
async function oneByOne(work: Work, texts: readonly PendingText[]): Promise<Embeddings | undefined> {
  if (texts.length === 1 || work.signal.aborted || !(await work.embedder.state()).isUsable) return undefined;
  const made: (Embedding | undefined)[] = [];
  for (const text of texts) made.push((await embeddingsOf(work, [text]))?.[0]);
  return made.some(Boolean) ? made : undefined;
}

/** The current text, which the refusal contains. */
function newText({ code, details }: ChestError): PendingText | undefined {
  if (code !== "CONTENT_CHANGED") return undefined;
  const { id, text_for_embedding: text, content_sha1: contentSha1 } = details ?? {};
  if (typeof id !== "number" || typeof text !== "string" || typeof contentSha1 !== "string") return undefined;
  return { id, text, contentSha1 };
}

const noVector = () =>
  new ChestError("INTERNAL_ERROR", "the model gives no vector for this memory", {
    hint: "it stays pending and is found by its words",
  });
