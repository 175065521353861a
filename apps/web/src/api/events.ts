import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { PAGE_URL } from "./client.ts";

/** Changes within this time are one reason to ask anew. */
const GATHERED_MS = 300;
/** A list of more pages stays as it was scrolled: asking anew would ask for each of them. */
const MOST_PAGES = 5;
const isLong = (data: unknown): boolean =>
  ((data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) > MOST_PAGES;

let isLive = false;
const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether changes arrive as they happen. */
export const useIsLive = (): boolean => useSyncExternalStore(subscribe, () => isLive);

/** Listens while the page is open; what was asked about memories is asked anew after a change. The browser resumes by itself. */
export function useLiveEvents(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    const source = new EventSource(new URL("events", PAGE_URL));
    const live = (now: boolean) => () => {
      isLive = now;
      tell();
    };
    source.onopen = live(true);
    source.onerror = () => {
      // It may be the backend that is away, which is told of at once then; the browser tries again every few seconds.
      if (isLive) void queryClient.invalidateQueries({ queryKey: ["health"], exact: true });
      live(false)();
    };
    source.addEventListener("change", () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        void queryClient.invalidateQueries({ queryKey: ["memories"], predicate: ({ state }) => !isLong(state.data) });
      }, GATHERED_MS);
    });
    return () => {
      clearTimeout(soon);
      source.close();
    };
  }, [queryClient]);
}
