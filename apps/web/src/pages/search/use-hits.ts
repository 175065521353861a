import type { ListedMemory } from "@chest/core/resources";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { answer, chest, tool } from "../../api/client.ts";
import { type Category, type Get, type Hit, hitsOf, resource } from "../../api/queries.ts";
import type { SearchFilters } from "../../router.tsx";

const PAGE = 60;
/** Page size while scrolling: a list may have a hundred thousand rows. */
const LATER_PAGE = 200;
/** Token budget of one recall: a page of the list is larger than an agent's context. */
const TOKENS = 6000;

export interface Page {
  readonly hits: readonly Hit[];
  /** Nearest memories if nothing answers the words; they do not count as results. */
  readonly weak: readonly Hit[];
  /** How the words for times were understood. */
  readonly between?: Get<"/api/memories">["between"] | undefined;
  readonly total: number;
  readonly isLowerBound: boolean;
  readonly search: string | undefined;
  readonly isRelaxed: boolean;
  /** A part of the search took too long and was left out. */
  readonly isPartial: boolean;
  readonly ms: number;
  readonly next: number | string | undefined;
}

/** Searches with recall if there are words or an entity name; otherwise lists the newest or the most used memories. */
export function useHits(filters: SearchFilters) {
  return useInfiniteQuery({
    queryKey: ["memories", "search", { ...filters, view: undefined }],
    queryFn: ({ pageParam, signal }) =>
      asksInWords(filters)
        ? recall(filters, Number(pageParam), signal)
        : orderOf(filters) === "use"
          ? hottest(filters, Number(pageParam))
          : list(filters, pageParam === 0 ? undefined : String(pageParam)),
    initialPageParam: 0 as number | string,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

/** Whether a recall answers: there are words, or a part of an entity's name. */
export const asksInWords = ({ q, entity }: SearchFilters): boolean => q !== undefined || entity !== undefined;

/** Whether there are filters besides the layer. */
export const isNarrowed = ({ q: _words, layer: _layer, view: _view, sort: _sort, ...rest }: SearchFilters): boolean =>
  Object.keys(rest).length > 0;

/** Order if it is not the default: `recent` for a search by words, `use` for a list that is filtered by layer at most. */
export function orderOf(filters: SearchFilters): "recent" | "use" | "" {
  if (asksInWords(filters)) return filters.sort === "recent" ? "recent" : "";
  return filters.sort === "use" && !isNarrowed(filters) ? "use" : "";
}

async function recall(filters: SearchFilters, offset: number, signal: AbortSignal): Promise<Page> {
  const startedAt = performance.now();
  const body = {
    ...(filters.q && { query: filters.q }),
    ...(filters.entity && { entity_name: filters.entity }),
    ...(filters.layer && { layer: filters.layer }),
    ...(filters.tag && { tags: [filters.tag] }),
    ...(filters.category && { category: filters.category as Category }),
    ...(filters.author && { author: filters.author }),
    ...(filters.since && { since: filters.since }),
    ...(filters.until && { until: filters.until }),
    ...(orderOf(filters) === "recent" && { sort: "recent" as const }),
    ...(filters.state === "journal" && { journal: true }),
    ...((filters.state === "archived" || filters.state === "superseded") && { include_archived: true }),
    ...(filters.state === "superseded" && { include_superseded: true }),
    ...{ project: filters.project ?? "*", mark_accessed: false, explain: true },
    ...{ snippet_mode: true, snippet_window: 600, max_tokens: TOKENS, limit: PAGE, offset },
  };
  const found = await tool(chest.POST("/api/tools/chest_recall", { body: body, signal }));
  const {
    memories,
    total_candidates,
    total_is_lower_bound,
    has_more,
    search,
    relaxed,
    weak = [],
    between,
    degraded = [],
  } = found;
  return {
    hits: hitsOf(memories),
    weak: hitsOf(weak),
    between,
    total: total_candidates,
    isLowerBound: total_is_lower_bound === true,
    search,
    isRelaxed: relaxed === true,
    isPartial: degraded.some(({ reason }) => reason === "timeout"),
    ms: performance.now() - startedAt,
    next: has_more ? offset + memories.length : undefined,
  };
}

interface Listed {
  readonly total: number;
  readonly next?: string;
  readonly memories: readonly ListedMemory[];
}

/** Memories that pass the filters, the newest first. */
async function list(filters: SearchFilters, cursor: string | undefined): Promise<Page> {
  const startedAt = performance.now();
  const query = {
    ...(filters.layer && { layer: filters.layer }),
    ...(filters.tag && { tags: filters.tag }),
    ...(filters.category && { category: filters.category as Category }),
    ...(filters.author && { author: filters.author }),
    ...(filters.since && { since: filters.since }),
    ...(filters.until && { until: filters.until }),
    ...(filters.state === "journal" ? { journal: "true" as const } : filters.state && { state: "all" as const }),
    ...(cursor && { cursor }),
    ...{ project: filters.project ?? "*", limit: cursor === undefined ? PAGE : LATER_PAGE },
  };
  const {
    memories,
    total,
    between,
    next_cursor: next,
  } = await answer(chest.GET("/api/memories", { params: { query } }));
  return {
    hits: memories.map(({ state, ...rest }) => ({ ...rest, ...(state === "live" ? {} : { state }) })),
    ...WITHOUT_WORDS,
    ...{ total, between, next, ms: performance.now() - startedAt },
  };
}

const WITHOUT_WORDS = {
  weak: [] as readonly Hit[],
  isLowerBound: false,
  search: undefined,
  isRelaxed: false,
  isPartial: false,
};

async function hottest({ layer }: SearchFilters, cursor: number): Promise<Page> {
  const startedAt = performance.now();
  const about = layer ? `layer/${encodeURIComponent(layer)}` : "hot";
  const { memories, total, next } = await resource<Listed>(`memory://${about}?limit=${PAGE}&cursor=${cursor}`);
  return {
    hits: memories.map(({ entity, entity_kind, created_at, ...rest }) => ({
      ...rest,
      entity: { name: entity, kind: entity_kind },
      created_at: Date.parse(created_at) / 1000,
    })),
    ...WITHOUT_WORDS,
    ...{ total, ms: performance.now() - startedAt },
    next: next === undefined ? undefined : cursor + memories.length,
  };
}
