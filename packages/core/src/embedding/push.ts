import { setImmediate as others } from "node:timers/promises";
import { ChestError } from "@chest/contracts";
import { noSuchMemory } from "../access/refusals.ts";
import { sha1 } from "../memory/canonical.ts";
import { stateOf } from "../memory/memory.ts";
import type { EmbeddingIdentity } from "../ports/embedder.ts";
import type { Store, Writes } from "../ports/store.ts";

/** Checking takes milliseconds; two hundred rows at a time would delay every other request. */
const ROWS_AT_A_TIME = 16;

/** A vector that a client sends, with the hash of the text that it was made from. */
export interface Push {
  readonly id: number;
  readonly vector: Float32Array;
  /** SHA-1 of the embedded text; undefined from a 1.5 client, which sends none. */
  readonly contentSha1: string | undefined;
}

export interface Pushed {
  readonly id: number;
  readonly error?: ChestError;
}

/** Reads one vector of a batch; an error is reported for this vector alone. */
export function readPush(id: number, contentSha1: string, read: () => Float32Array): Push | Pushed {
  try {
    return { id, contentSha1, vector: read() };
  } catch (error) {
    if (error instanceof ChestError) return { id, error };
    throw error;
  }
}

/** Stores vectors in one transaction; one that is refused does not hold up the others. */
export function pushVectors(
  store: Store,
  identity: EmbeddingIdentity,
  pushes: readonly (Push | Pushed)[],
): Promise<readonly Pushed[]> {
  return store.write(async (tx) => {
    const results: Pushed[] = [];
    for (const push of pushes) {
      if (results.length > 0 && results.length % ROWS_AT_A_TIME === 0) await others();
      results.push("vector" in push ? await pushOne(tx, identity, push) : push);
    }
    return results;
  });
}

async function pushOne(tx: Writes, identity: EmbeddingIdentity, { id, vector, contentSha1 }: Push): Promise<Pushed> {
  const memory = await tx.memories.byId(id);
  if (!memory || stateOf(memory) !== "live") return { id, error: noSuchMemory(id) };
  const stored = sha1(memory.content);
  if (contentSha1 && contentSha1.toLowerCase() !== stored)
    return { id, error: contentChanged(id, stored, memory.content) };
  await tx.vectors.put(memory, identity, vector);
  return { id };
}

/** The text has changed: the refusal contains the new text, to be embedded instead. */
const contentChanged = (id: number, stored: string, content: string) =>
  new ChestError("CONTENT_CHANGED", `memory ${id} has different words by now`, {
    hint: "embed `text_for_embedding` and push again with this `content_sha1`",
    details: { id, content_sha1: stored, text_for_embedding: content },
  });
