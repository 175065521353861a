import { ask, type Door } from "./clients/doors.ts";

/** How much there is in the store, as far as a caller can see: what a refused call must leave as it was. */
export async function census(door: Door): Promise<{ entities: number; memories: number }> {
  const { total, entities } = await ask(door, "chest_list_entities", { min_memories: 0, limit: 200 });
  const counts = (entities as { memory_count: number }[]).map(({ memory_count }) => memory_count);
  return { entities: total as number, memories: counts.reduce((sum, count) => sum + count, 0) };
}
