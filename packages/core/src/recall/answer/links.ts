import { isOpenToAgents } from "../../memory/link.ts";
import type { Memory } from "../../memory/memory.ts";
import { isOver, stateOf } from "../../memory/memory.ts";
import type { Link } from "../../ports/listings.ts";
import type { Store } from "../../ports/store.ts";
import type { ShownMemory } from "./formats.ts";

/** Most memories that are pulled along with an answer. */
const MOST_RELATED = 20;

/** Adds the ids that each memory of an answer is linked with; one without links stays as it is. */
export async function withLinks<T extends ShownMemory>(shown: readonly T[], { listings }: Pick<Store, "listings">) {
  const ids = shown.map(({ id }) => id);
  const links = ids.length === 0 ? [] : (await listings.links(ids)).filter(({ type }) => isOpenToAgents(type));
  const related = new Set(links.flatMap(({ from, to }) => [from, to]).filter((id) => !ids.includes(id)));
  const items = links.length === 0 ? [...shown] : shown.map((item) => ({ ...item, ...linksOf(item.id, links) }));
  return { items, related: [...related] };
}

function linksOf(id: number, links: readonly Link[]) {
  // `contradicted_by` tells of those that still do; a link to what has been settled would tell of all.
  const own = links.filter(({ from, to, type }) => (from === id || to === id) && type !== "contradicts");
  if (own.length === 0) return {};
  return { links: own.map(({ from, to, type }) => (from === id ? { type, to } : { type, from })) };
}

/** Live memories that an answer is linked with, and does not show. */
export async function relatedMemories(
  ids: readonly number[],
  { memories }: Pick<Store, "memories">,
  now: Date,
): Promise<Memory[]> {
  const found = await memories.byIds(ids);
  return found.filter((memory) => stateOf(memory) === "live" && !isOver(memory, now)).slice(0, MOST_RELATED);
}
