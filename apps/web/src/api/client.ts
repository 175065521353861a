import { openChest } from "chest-memory-sdk";
import { ApiError } from "./api-error.ts";

/** Address of the page, with any path prefix and a final slash. */
export const PAGE_URL = new URL(".", location.href);

/**
 * Whether this browser may be signed in. The backend writes this into the page, because only the backend can read the cookie.
 */
export const session = { isThere: document.documentElement.dataset.session !== undefined };

export const chest = openChest({ url: PAGE_URL.href });

/** Time zone of the browser, by which the backend reads dates and words for times. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

chest.use({
  onRequest({ request }) {
    request.headers.set("x-chest-time-zone", ZONE);
  },
});

interface Failure {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly hint?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** Returns the answer of a request, or throws the backend's error. */
export async function answer<T>(
  request: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await request.catch(() => {
    throw new ApiError("OFFLINE", "the backend does not answer");
  });
  if (data !== undefined && data !== null) return data;
  const { code, message, hint, details } = (error as Failure | undefined)?.error ?? {};
  throw new ApiError(code ?? `HTTP_${response.status}`, message ?? `HTTP ${response.status}`, hint, details);
}

/** Runs a tool and returns its result. */
export async function tool<T>(request: Promise<{ data?: { result: T }; error?: unknown; response: Response }>) {
  return (await answer(request)).result;
}
