import { moment, text } from "../../i18n/index.ts";
import { nameOf } from "../../parts/memory-bits.tsx";
import { memberName } from "../../parts/words/member-name.ts";
import type { SearchFilters } from "../../router.tsx";

export interface FiltersProps {
  readonly filters: SearchFilters;
  change(part: Partial<Record<keyof SearchFilters, string | undefined>>): void;
}

/** Filters that stand in the menu, in its order. */
export const NAMES = ["project", "author", "layer", "category", "tag", "entity", "state", "since", "until"] as const;
export type Name = (typeof NAMES)[number];

export const LABELS = {
  project: () => text.search.project,
  author: () => text.search.author,
  layer: () => text.search.layer,
  category: () => text.search.category,
  tag: () => text.search.tag,
  entity: () => text.search.entity,
  state: () => text.search.state,
  since: () => text.search.since,
  until: () => text.search.until,
} as const satisfies Record<Name, () => string>;

export const states = (): Readonly<Record<string, string>> => ({
  archived: text.search.withArchived,
  superseded: text.search.withSuperseded,
  journal: text.search.withJournal,
});

export function valueText(name: Name, value: string): string {
  if (name === "layer") return nameOf(text.layers, value);
  if (name === "category") return nameOf(text.categories, value);
  if (name === "author") return memberName(value);
  if (name === "state") return nameOf(states(), value);
  // Words such as `last week` stand as they were typed.
  if ((name === "since" || name === "until") && !Number.isNaN(Date.parse(value)))
    return moment(value, { dateStyle: "medium" });
  return value;
}
