import { infiniteQueryOptions } from "@tanstack/react-query";
import type { paths } from "chest-memory-sdk";
import type { Narrowed } from "../parts/narrowing.tsx";
import { answer, chest } from "./client.ts";

type ListQuery = NonNullable<paths["/api/memories"]["get"]["parameters"]["query"]>;

/** Memories that match some filters, page by page, in all projects that the member may open. */
export const memoryPages = (filters: Partial<ListQuery>) =>
  infiniteQueryOptions({
    queryKey: ["memories", "pages", filters],
    queryFn({ pageParam: cursor }) {
      const query = { project: "*", limit: 50, ...filters, ...(cursor === undefined ? {} : { cursor }) };
      return answer(chest.GET("/api/memories", { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });

/** Sessions with memories that the member may see, page by page, the last active session first. */
export const sessionPages = ({ author, project = "*", day }: Narrowed = {}) =>
  infiniteQueryOptions({
    queryKey: ["memories", "sessions", { author, project, day }],
    queryFn({ pageParam: offset }) {
      const query = { project, limit: 50, offset, ...(author && { author }), ...(day && { since: day, until: day }) };
      return answer(chest.GET("/api/sessions", { params: { query } }));
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const known = pages.reduce((sum, { sessions }) => sum + sessions.length, 0);
      return known < total ? known : undefined;
    },
  });
