import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { session } from "./client.ts";

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === "UNAUTHORIZED";

/** Forgets all that was known of one member, and sets who is signed in: another member, or none. */
export function becomes(me: unknown): void {
  // Not all at once: observers of the one question would observe a removed answer.
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== "whoami" });
  if (me !== null) session.isThere = true;
  queryClient.setQueryData(["whoami"], me);
}

/** Ends what is shown when the sign-in has ended, wherever that was found out. */
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
      // A refusal stays one; a backend that is away comes back, one that is busy has time later.
      retry: (times, error) => error instanceof ApiError && PASSING.has(error.code) && times < 2,
      retryDelay: (times, error) =>
        error instanceof ApiError ? Number(error.details.retry_after_ms ?? 1000 * 2 ** times) : 1000,
      refetchOnWindowFocus: true,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});
