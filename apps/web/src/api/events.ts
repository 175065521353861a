import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { PAGE_URL } from "./client.ts";

/** Changes within this time cause one reload. */
const GATHERED_MS = 300;
/** A list with more pages than this is not reloaded, because each of its pages would be requested again. */
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

/** Listens to changes while the page is open, and reloads memories after a change. The browser reconnects by itself. */
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
      // The backend may be down: checks its health at once. The browser retries the stream every few seconds.
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
