import type { SearchFilters } from "../../router.tsx";

export interface SavedView {
  readonly name: string;
  readonly filters: SearchFilters;
}

const MOST = 30;
const keyOf = (member: string): string => `chest-views ${JSON.stringify([member])}`;

/** Filters that a member keeps by name, in this browser. */
export function savedViews(member: string): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(member)) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Keeps the views in place of those before. */
export function keepViews(member: string, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(keyOf(member), JSON.stringify(views.slice(0, MOST)));
  } catch {
    // A browser that keeps nothing offers no saved views; the address still holds the filters.
  }
}
