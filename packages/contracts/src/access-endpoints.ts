import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { BODY_LIMITS } from "./limits.ts";

const member = z.object({
  id: z.int(),
  name: z.string(),
  role: z.enum(["member", "admin"]),
  status: z.enum(["active", "removed"]),
  created_at: z.string(),
});
export type MemberView = z.infer<typeof member>;

const named = z.object({
  id: z.int(),
  label: z.string(),
  member: z.string(),
  scopes: z.array(z.enum(["read", "write", "operate", "admin"])),
  /** The only projects it opens; absent without such a limit. */
  projects: z.array(z.string()).optional(),
  expires_at: z.string().nullable(),
});
const token = named.extend({
  created_at: z.string(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});
export type TokenView = z.infer<typeof token>;
/** This once: only its digest is kept. */
const newToken = named.extend({ token: z.string() });
export type NewTokenView = z.infer<typeof newToken>;

const project = z.object({
  key: z.string(),
  access: z.enum(["open", "members"]),
  members: z.array(z.string()).optional(),
});
export type ProjectView = z.infer<typeof project>;

/** Who there is, and what may be opened. */
export const accessEndpoints = {
  listMembers: defineEndpoint({
    method: "GET",
    path: "/api/members",
    summary: "Every member there is or was",
    scope: "admin",
    response: z.object({ members: z.array(member) }),
  }),
  addMember: defineEndpoint({
    method: "POST",
    path: "/api/members",
    summary: "Add a member, or let a disabled one in again",
    scope: "admin",
    bodyLimit: BODY_LIMITS.hook,
    response: member,
  }),
  disableMember: defineEndpoint({
    method: "DELETE",
    path: "/api/members/:name",
    summary: "Disable a member: its tokens end at once, its memories stay",
    scope: "admin",
    response: member,
  }),
  listTokens: defineEndpoint({
    method: "GET",
    path: "/api/tokens",
    summary:
      "Tokens, never what they are made of: one's own, or everybody's for an admin; `?all=true` with revoked ones",
    scope: "write",
    response: z.object({
      tokens: z.array(token),
    }),
  }),
  createToken: defineEndpoint({
    method: "POST",
    path: "/api/tokens",
    summary: "Make a token, shown this once: for oneself no wider than one's own, for others as an admin",
    scope: "write",
    bodyLimit: BODY_LIMITS.hook,
    response: newToken,
  }),
  revokeToken: defineEndpoint({
    method: "DELETE",
    path: "/api/tokens/:id",
    summary: "End a token and all that were made with it, at once",
    scope: "write",
    response: z.object({ id: z.int(), revoked_at: z.string() }),
  }),
  listProjects: defineEndpoint({
    method: "GET",
    path: "/api/projects",
    summary: "The projects the caller may open; all of them for an admin",
    scope: "read",
    response: z.object({ projects: z.array(project) }),
  }),
  setProject: defineEndpoint({
    method: "POST",
    path: "/api/projects",
    summary: "Open a project to everyone, or to some members only",
    scope: "admin",
    bodyLimit: BODY_LIMITS.hook,
    response: project,
  }),
} as const;
