import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { chest, tool } from "../../api/client.ts";
import { type Hit, resource } from "../../api/queries.ts";
import type { SearchFilters } from "../../router.tsx";

const PAGE = 60;
/** Most that a recall gives at once, in tokens: a page of the list, not an agent's context. */
const TOKENS = 6000;

export interface Page {
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly isLowerBound: boolean;
  readonly search: string | undefined;
  readonly isRelaxed: boolean;
  readonly ms: number;
  readonly next: number | undefined;
}

/** Asks as agents do where there are words or an entity; without either, lists what is most in use. */
export function useHits(filters: SearchFilters) {
  return useInfiniteQuery({
    queryKey: ["memories", "search", { ...filters, view: undefined }],
    queryFn: ({ pageParam, signal }) =>
      filters.q || filters.entity ? recall(filters, pageParam, signal) : browse(filters, pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

async function recall(filters: SearchFilters, offset: number, signal: AbortSignal): Promise<Page> {
  const startedAt = performance.now();
  const body = {
    ...(filters.q && { query: filters.q }),
    ...(filters.entity && { entity_name: filters.entity }),
    ...(filters.layer && { layer: filters.layer }),
    ...(filters.tag && { tags: [filters.tag] }),
    ...(filters.since && { since: filters.since }),
    ...(filters.until && { until: filters.until }),
    ...(filters.sort && { sort: filters.sort }),
    ...(filters.state && { include_archived: true }),
    ...(filters.state === "superseded" && { include_superseded: true }),
    ...{ project: filters.project ?? "*", mark_accessed: false, explain: true },
    ...{ snippet_mode: true, snippet_window: 600, max_tokens: TOKENS, limit: PAGE, offset },
  };
  const found = await tool(chest.POST("/api/tools/chest_recall", { body: body, signal }));
  const { memories, total_candidates, total_is_lower_bound, has_more, search, relaxed } = found;
  return {
    hits: memories as unknown as Hit[],
    total: total_candidates,
    isLowerBound: total_is_lower_bound === true,
    search,
    isRelaxed: relaxed === true,
    ms: performance.now() - startedAt,
    next: has_more ? offset + memories.length : undefined,
  };
}

interface Listed {
  readonly total: number;
  readonly next?: string;
  readonly memories: readonly {
    readonly id: number;
    readonly entity: string;
    readonly entity_kind: string;
    readonly layer: string;
    readonly importance: number;
    readonly pinned: boolean;
    readonly content: string;
    readonly created_at: string;
  }[];
}

async function browse({ layer }: SearchFilters, cursor: number): Promise<Page> {
  const startedAt = performance.now();
  const about = layer ? `layer/${encodeURIComponent(layer)}` : "hot";
  const { memories, total, next } = await resource<Listed>(`memory://${about}?limit=${PAGE}&cursor=${cursor}`);
  return {
    hits: memories.map(({ entity, entity_kind, created_at, ...rest }) => ({
      ...rest,
      entity: { name: entity, kind: entity_kind },
      created_at: Date.parse(created_at) / 1000,
    })),
    total,
    isLowerBound: false,
    search: undefined,
    isRelaxed: false,
    ms: performance.now() - startedAt,
    next: next === undefined ? undefined : cursor + memories.length,
  };
}
