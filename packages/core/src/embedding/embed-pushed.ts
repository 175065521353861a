import { sha1 } from "../memory/canonical.ts";
import type { Clock } from "../ports/clock.ts";
import type { EmbedderFor } from "../ports/embedder.ts";
import type { Store } from "../ports/store.ts";
import { embedTexts } from "./embed-texts.ts";
import { isBuiltin } from "./known-models.ts";
import { pendingQueue } from "./queue.ts";

const PATIENCE_MS = 5_000;

/**
 * Embeds a memory with the store's model after a client pushed a vector of another model. A client of 1.5 has one
 * model, which may not be the store's, so the row would stay pending and be handed out to it for ever. Only for the
 * built-in model; an operator decides where other models run.
 */
export async function embedPushed(store: Store, embedders: EmbedderFor, clock: Clock, id: number): Promise<void> {
  const { active } = await store.identities();
  if (!isBuiltin(active)) return;
  const [memory] = await store.memories.byIds([id]);
  if (!memory) return;
  const work = {
    queue: pendingQueue(store, clock),
    embedder: embedders(active),
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  await embedTexts(work, [{ id, text: memory.content, contentSha1: sha1(memory.content) }]);
}
