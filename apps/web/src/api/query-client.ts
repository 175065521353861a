import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { session } from "./client.ts";

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === "UNAUTHORIZED";

/** Clears everything that was loaded for one member when another member signs in, or the sign-in ends. */
export function becomes(me: unknown): void {
  // Does not remove all queries at once: observers of `whoami` would keep observing a removed query.
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== "whoami" });
  if (me !== null) session.isThere = true;
  queryClient.setQueryData(["whoami"], me);
}

/** Signs out on the page when any request finds that the sign-in has ended. */
function onError(error: unknown): void {
  if (isSignedOut(error)) becomes(null);
}

const PASSING = new Set(["OFFLINE", "UNAVAILABLE"]);

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // An error answer is final. Requests are repeated only while the backend is down or busy.
      retry: (times, error) => error instanceof ApiError && PASSING.has(error.code) && times < 2,
      retryDelay: (times, error) =>
        error instanceof ApiError ? Number(error.details.retry_after_ms ?? 1000 * 2 ** times) : 1000,
      refetchOnWindowFocus: true,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});
