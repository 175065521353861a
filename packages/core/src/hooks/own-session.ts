import { ChestError } from "@chest/contracts";
import type { Store } from "../ports/store.ts";

/** Ids of what this very session left: it knows that itself. */
export async function ownIds(store: Store, session: string | undefined): Promise<ReadonlySet<number>> {
  if (session === undefined) return new Set();
  try {
    const { memories } = await store.sessions.trace(session);
    return new Set(memories.map(({ memory }) => memory.id));
  } catch (error) {
    // Another member's, or none at all: then none of it is the caller's own.
    if (error instanceof ChestError && error.code === "NOT_FOUND") return new Set();
    throw error;
  }
}
