import { localCaller, UNSTATED_CLIENT } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { z } from "zod";

/** Queued call: everything that a later attempt needs, except the token. */
export const entry = z.object({
  format: z.literal(1),
  id: z.string(),
  /** The backend it is for. */
  url: z.string(),
  /** Member that made the call; undefined if the backend had not named it, and in entries of earlier releases. */
  member: z.string().optional(),
  /** Digest of the token that it was made with. */
  token: z.string().optional(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  key: z.string(),
  request_id: z.string(),
  project: z.string().optional(),
  session: z.string().optional(),
  queued_at: z.iso.datetime(),
  /** True if the backend may have stored the call already: it may be repeated only with a key that the backend honours. */
  may_have_arrived: z.boolean(),
  refused: z
    .object({ at: z.iso.datetime(), code: z.string(), message: z.string(), hint: z.string().optional() })
    .optional(),
});
export type Entry = z.infer<typeof entry>;

/** Part of an entry that the caller supplies; the folder adds the rest. */
export type Draft = Omit<Entry, "format" | "id" | "queued_at" | "refused">;

/** Age after which a backend may have forgotten the key, so that a repeat would store the call twice. */
export const MAX_AGE_MS = 30 * 24 * 3_600_000;

export const ageOf = ({ queued_at }: Entry, now: Date): number => now.getTime() - Date.parse(queued_at);

/** The call as it was made. Rights come from the token of the day, so the caller here only states. */
export function callOf(waiting: Entry, signal: AbortSignal): Call {
  return {
    caller: localCaller(waiting.project, { ...UNSTATED_CLIENT, session: waiting.session }),
    requestId: waiting.request_id,
    idempotencyKey: waiting.key,
    signal,
  };
}
