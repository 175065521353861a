import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === "UNAUTHORIZED";

/** Ends what is shown when the sign-in has ended, wherever that was found out. */
function onError(error: unknown): void {
  if (isSignedOut(error)) queryClient.setQueryData(["whoami"], null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays one; a backend that is away comes back.
      retry: (times, error) => error instanceof ApiError && error.code === "OFFLINE" && times < 2,
      refetchOnWindowFocus: true,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});
