import { isOpenToAgents } from "../../memory/link.ts";
import type { Memory } from "../../memory/memory.ts";
import { isOver, stateOf } from "../../memory/memory.ts";
import type { Link } from "../../ports/listings.ts";
import type { Store } from "../../ports/store.ts";
import type { ShownMemory } from "./formats.ts";

/** Most linked memories that are added to an answer. */
const MOST_RELATED = 20;

/** Adds the ids of linked memories to each memory; one without links is unchanged. */
export async function withLinks<T extends ShownMemory>(shown: readonly T[], { listings }: Pick<Store, "listings">) {
  const ids = shown.map(({ id }) => id);
  const links = ids.length === 0 ? [] : (await listings.links(ids)).filter(({ type }) => isOpenToAgents(type));
  const related = new Set(links.flatMap(({ from, to }) => [from, to]).filter((id) => !ids.includes(id)));
  const items = links.length === 0 ? [...shown] : shown.map((item) => ({ ...item, ...linksOf(item.id, links) }));
  return { items, related: [...related] };
}

function linksOf(id: number, links: readonly Link[]) {
  // Contradictions are left to `contradicted_by`, which lists only unsettled ones.
  const own = links.filter(({ from, to, type }) => (from === id || to === id) && type !== "contradicts");
  if (own.length === 0) return {};
  return { links: own.map(({ from, to, type }) => (from === id ? { type, to } : { type, from })) };
}

/** Live memories that are linked with an answer but not part of it. */
export async function relatedMemories(
  ids: readonly number[],
  { memories }: Pick<Store, "memories">,
  now: Date,
): Promise<Memory[]> {
  const found = await memories.byIds(ids);
  return found.filter((memory) => stateOf(memory) === "live" && !isOver(memory, now)).slice(0, MOST_RELATED);
}
