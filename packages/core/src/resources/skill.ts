import type { Memory } from "../memory/memory.ts";
import type { Store } from "../ports/store.ts";

/** Prefix of the tag that identifies a skill by name. */
export const SKILL_TAG = "skill:";

/** A skill's name in tags and addresses: lower case, without spaces and symbols. */
export const skillSlug = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\-_.]+/gu, "-")
    .replace(/^-+|(?<!-)-+$/g, "")
    .slice(0, 80);

/** The live skill with this name that the caller may open, its project's before its own; otherwise undefined. */
export async function skillNamed(name: string, { memories }: Store): Promise<Memory | undefined> {
  const slug = skillSlug(name);
  if (slug === "") return undefined;
  const where = {
    reach: "here",
    category: "skill",
    tags: [`${SKILL_TAG}${slug}`],
    withArchived: false,
    withSuperseded: false,
  } as const;
  const { memories: found } = await memories.browse({ order: "newest", where, limit: 20, offset: 0 });
  return found.find(({ visibility }) => visibility === "project") ?? found[0];
}
