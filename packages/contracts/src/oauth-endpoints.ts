import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const request = z.object({
  client: z.object({
    id: z.string(),
    /** Name that the client gave itself; it is not verified. */
    name: z.string().nullable(),
    /** `document`: its name comes from the host that it names; `registered`: it said so itself. */
    kind: z.enum(["document", "registered"]),
  }),
  /** Target of the browser afterwards: a host, or the scheme of an app. */
  redirect_to: z.string(),
  is_this_machine: z.boolean(),
  member: z.string(),
  /** Whether it asks to write, and whether this member could let it. */
  asks_to_write: z.boolean(),
  may_write: z.boolean(),
  /** Keys of the projects that can be chosen from. */
  projects: z.array(z.string()),
  /** True if this sign-in is limited to the listed projects; the tokens of its clients are limited to them as well. */
  is_limited: z.boolean(),
});
export type AuthorizationRequestView = z.infer<typeof request>;

/** Endpoints of the page on which a member lets an OAuth client do something. */
export const oauthEndpoints = {
  authorizationRequest: defineEndpoint({
    method: "GET",
    path: "/api/authorizations/:uid",
    summary: "An OAuth client that asks for access, in the browser that it sent here",
    scope: "member",
    response: request,
  }),
  decideAuthorization: defineEndpoint({
    method: "POST",
    path: "/api/authorizations/:uid",
    summary:
      "Approve or refuse an OAuth client: `approve`, `write` if it may, `projects` if only some; the answer says where the browser goes",
    scope: "member",
    response: z.object({ location: z.string() }),
  }),
} as const;
