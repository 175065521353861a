import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const whoami = z.object({
  member: z.string(),
  role: z.enum(["member", "admin"]),
  scopes: z.array(z.enum(["read", "write", "operate", "admin"])),
  /** The only projects it opens; absent without such a limit. */
  projects: z.array(z.string()).optional(),
  /** Id of the sign-in; absent for a request with a token. */
  sign_in: z.int().optional(),
  server_version: z.string(),
});
export type WhoamiView = z.infer<typeof whoami>;

const signIn = z.object({
  id: z.int(),
  member: z.string(),
  /** Browser and system, as the browser names them. */
  label: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** When it ends if it is not used until then. */
  ends_at: z.string(),
  is_this: z.boolean(),
});
export type SignInView = z.infer<typeof signIn>;

const link = z.object({ link: z.string(), member: z.string(), expires_at: z.string() });
export type SignInLinkView = z.infer<typeof link>;

/** Endpoints of signing in to the page. */
export const signInEndpoints = {
  signIn: defineEndpoint({
    method: "POST",
    path: "/api/sign-in",
    summary: "Sign a browser in, by a token or a one-time link; the answer sets a cookie",
    scope: undefined,
    response: whoami,
  }),
  sso: defineEndpoint({
    method: "GET",
    path: "/api/sso",
    summary: "Kind of the identity provider that signs browsers in at `/api/sso/begin`; null without one",
    scope: undefined,
    response: z.object({ provider: z.enum(["openid", "github"]).nullable() }),
  }),
  whoami: defineEndpoint({
    method: "GET",
    path: "/api/sign-in",
    summary: "Member and rights behind this token or sign-in",
    scope: "member",
    response: whoami,
  }),
  listSignIns: defineEndpoint({
    method: "GET",
    path: "/api/sign-ins",
    summary: "Signed-in browsers: your own, or all for an admin",
    scope: "member",
    response: z.object({ sign_ins: z.array(signIn) }),
  }),
  endSignIn: defineEndpoint({
    method: "DELETE",
    path: "/api/sign-ins/:id",
    summary: "Sign a browser out at once: your own, or any for an admin",
    scope: "member",
    repeat: "replayed",
    response: z.object({ id: z.int(), revoked_at: z.string() }),
  }),
  createSignInLink: defineEndpoint({
    method: "POST",
    path: "/api/sign-in-links",
    summary:
      "Make a link that signs one browser in within ten minutes: as yourself, or for an admin as another `member`",
    scope: "member",
    repeat: "told",
    response: link,
  }),
} as const;
