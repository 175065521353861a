import { ask, type Door } from "./clients/doors.ts";

/** Counts what a caller can see of the store, which a refused call must not change. */
export async function census(door: Door): Promise<{ entities: number; memories: number }> {
  const { total, entities } = await ask(door, "chest_list_entities", { min_memories: 0, limit: 200 });
  const counts = (entities as { memory_count: number }[]).map(({ memory_count }) => memory_count);
  return { entities: total as number, memories: counts.reduce((sum, count) => sum + count, 0) };
}
