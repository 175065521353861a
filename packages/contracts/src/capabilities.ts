import { z } from "zod";
import { ChestError } from "./errors.ts";
import { compareVersions, WIRE_VERSION } from "./version.ts";

const identity = z.object({ model: z.string(), revision: z.string(), dimensions: z.int(), pooling: z.string() });

/** Capabilities of a backend. Further keys of a newer backend pass through. */
export const capabilities = z.looseObject({
  api_version: z.string(),
  min_required_client_version: z.string(),
  server_version: z.string(),
  server_has_embedder: z.boolean(),
  server_time: z.string(),
  features: z.array(z.string()),
  embedding: z.object({
    ready: z.boolean(),
    active: identity.nullable(),
    /** Becomes the active one when its vectors cover the store. */
    next: identity.nullable().optional(),
    accepted: z.array(identity),
  }),
  /** The caller, as its token says; absent from older backends. */
  caller: z
    .looseObject({
      member: z.string(),
      token_expires_at: z.string().nullable().describe("Null for a token without an end"),
      is_project_closed: z.literal(true).optional().describe("The project of `X-Chest-Project` is closed to it"),
    })
    .optional(),
  limits: z.object({ content_chars: z.int(), tool_body_bytes: z.int() }),
});
export type Capabilities = z.infer<typeof capabilities>;

/** Throws `CLIENT_TOO_OLD` when a backend no longer speaks this client's wire. */
export function assertSpoken({ min_required_client_version: minimum }: Capabilities, wire = WIRE_VERSION): void {
  if (compareVersions(wire, minimum) >= 0) return;
  throw tooOld(wire, minimum);
}

/** Hint for a client that is of an older release than its backend. */
export const UPDATE_CLIENT = "update the client as it was installed; in a clone: `git pull && npm run setup`";

export function tooOld(wire: string, minimum: string): ChestError {
  return new ChestError("CLIENT_TOO_OLD", `this client speaks wire ${wire}, the backend needs ${minimum} or newer`, {
    hint: UPDATE_CLIENT,
    details: { min_required_client_version: minimum, client: wire },
  });
}
