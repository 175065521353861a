import { z } from "zod";
import { noSuchMemory } from "../access/refusals.ts";
import type { Warning } from "../answers/wire.ts";
import { LINK_TYPES, MAX_LINKS, type NewLink } from "../memory/link.ts";
import type { Memory } from "../memory/memory.ts";
import type { Writes } from "../ports/store.ts";
import { invalid } from "../tool.ts";

const MAX_WRITTEN = 600;

/** Links as texts, because every client can send a flat list. */
export const linksField = () => z.array(z.string().min(1).max(MAX_WRITTEN)).max(MAX_LINKS);

export const HOW_LINKS_ARE_WRITTEN = `TYPE:ID, then a note; TYPE is ${LINK_TYPES.join(", ")}`;

/** Links a memory with others that the caller may open. */
export async function addLinks(tx: Writes, memory: Memory, links: readonly NewLink[], field: string): Promise<void> {
  for (const [at, link] of links.entries()) {
    if (link.to === memory.id) throw invalid([{ path: `${field}.${at}`, message: "leads from the memory to itself" }]);
    if (!(await tx.memories.byId(link.to))) throw noSuchMemory(link.to);
    await tx.links.put(memory, link);
  }
}

/** Removes links of a memory; warns of links that do not exist, as far as the caller may know. */
export async function removeLinks(tx: Writes, memory: Memory, links: readonly NewLink[]): Promise<Warning[]> {
  const missing: number[] = [];
  for (const link of links) {
    const isOpen = (await tx.memories.byId(link.to)) !== undefined;
    if (!isOpen || !(await tx.links.remove(memory, link))) missing.push(link.to);
  }
  if (missing.length === 0) return [];
  const message = `remove_links: there was no such link to ${missing.map((id) => `[memory:${id}]`).join(", ")}`;
  return [{ reason: "no_such_link", message }];
}
