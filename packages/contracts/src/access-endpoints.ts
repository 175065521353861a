import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const member = z.object({
  id: z.int(),
  name: z.string(),
  role: z.enum(["member", "admin"]),
  status: z.enum(["active", "disabled"]),
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
  /** Id of the OAuth client, for what a member let one do. */
  client: z.string().optional(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});
export type TokenView = z.infer<typeof token>;
/** Shown only in this answer: Chest stores its digest alone. */
const newToken = named.extend({ token: z.string() });
export type NewTokenView = z.infer<typeof newToken>;

const project = z.object({
  key: z.string(),
  access: z.enum(["open", "members"]),
  members: z.array(z.string()).optional(),
  /** Other keys that lead to it. */
  aliases: z.array(z.string()).optional(),
  /** A new key: one that was meant to be another project's looks like this. */
  is_new: z.literal(true).optional(),
  /** Older projects, of those the caller may open, that look like the same repository. */
  similar: z.array(z.string()).optional(),
});
export type ProjectView = z.infer<typeof project>;

const handOver = z.object({
  from: z.string(),
  to: z.string(),
  /** False for a preview: nothing was done. */
  confirmed: z.boolean(),
  memories: z.int(),
});
export type HandOverView = z.infer<typeof handOver>;

const joinedProject = z.object({
  key: z.string(),
  /** Key of the project that it is joined to, or taken out of. */
  into: z.string(),
  /** False for a preview: nothing was done. */
  confirmed: z.boolean(),
  /** Rows that move, by kind, of all members. */
  moves: z.object({ memories: z.int(), sessions: z.int(), tasks: z.int(), gaps: z.int() }),
  /** Openness of the joined project: a member who could not open either of the two does not open it. */
  access: z.enum(["open", "members"]),
  members: z.array(z.string()).optional(),
});
export type JoinView = z.infer<typeof joinedProject>;

const auditEntry = z.object({
  seq: z.int(),
  at: z.string(),
  /** Null for a caller without a valid token. */
  member: z.string().nullable(),
  token_id: z.int().nullable(),
  client: z.string().nullable(),
  op: z.string(),
  outcome: z.string(),
  memory_ids: z.array(z.int()),
  /** Other subject of the action, like `token:3`. */
  subject: z.string().optional(),
  times: z.int(),
});
export type AuditEntryView = z.infer<typeof auditEntry>;

const client = z.object({
  client: z.string().describe("Name and version, and the agent it works for, as it states them"),
  /** Null for a caller without a valid token. */
  member: z.string().nullable(),
  last_at: z.string(),
});
export type ClientView = z.infer<typeof client>;

const receipt = z.object({
  /** False for a preview: nothing was done. */
  confirmed: z.boolean(),
  purged: z.array(z.int()),
  /** Live memories derived from them. */
  derived: z.array(z.int()),
  /** Backups that still hold them, by file name. */
  backups_with_copies: z.array(z.string()),
  /** False while another process keeps the database's log. */
  log_clean: z.boolean().optional(),
  copies_kept_by: z
    .array(z.string())
    .optional()
    .describe("Parts of the database's server that keep copies until they expire"),
});
export type PurgeView = z.infer<typeof receipt>;

/** Endpoints of members, tokens, projects, the audit log and purging. */
export const accessEndpoints = {
  listMembers: defineEndpoint({
    method: "GET",
    path: "/api/members",
    summary: "All members, disabled ones included",
    scope: "admin",
    response: z.object({ members: z.array(member) }),
  }),
  addMember: defineEndpoint({
    method: "POST",
    path: "/api/members",
    summary: "Add a member, or let a disabled one in again",
    scope: "admin",
    repeat: "replayed",
    response: member,
  }),
  disableMember: defineEndpoint({
    method: "DELETE",
    path: "/api/members/:name",
    summary: "Disable a member: its tokens end at once, its memories stay",
    scope: "admin",
    repeat: "replayed",
    response: member,
  }),
  handOver: defineEndpoint({
    method: "POST",
    path: "/api/members/hand-over",
    isLong: true,
    summary: "Hand the private memories of a disabled member to another member; a preview unless `confirm` is true",
    scope: "admin",
    repeat: "replayed",
    response: handOver,
  }),
  listTokens: defineEndpoint({
    method: "GET",
    path: "/api/tokens",
    summary: "Tokens, without their secrets: your own, or all for an admin; `?all=true` with revoked ones",
    scope: "write",
    response: z.object({
      tokens: z.array(token),
    }),
  }),
  createToken: defineEndpoint({
    method: "POST",
    path: "/api/tokens",
    summary: "Create a token, shown once: for yourself with at most your rights, for others as an admin",
    scope: "write",
    repeat: "told",
    response: newToken,
  }),
  renewToken: defineEndpoint({
    method: "POST",
    path: "/api/tokens/:id/renew",
    summary: "Create a token like one of your own that is still valid, with its lifetime anew; shown once",
    scope: "write",
    repeat: "told",
    response: newToken,
  }),
  revokeToken: defineEndpoint({
    method: "DELETE",
    path: "/api/tokens/:id",
    summary: "Revoke a token and all created with it, at once",
    scope: "write",
    repeat: "replayed",
    response: z.object({ id: z.int(), revoked_at: z.string() }),
  }),
  listProjects: defineEndpoint({
    method: "GET",
    path: "/api/projects",
    summary:
      "The projects the caller may open; all of them for an admin; with `like` the one of that key, else those that look like it",
    scope: "read",
    response: z.object({ projects: z.array(project) }),
  }),
  audit: defineEndpoint({
    method: "GET",
    path: "/api/audit",
    summary: "Who did what, newest first, ids only: `?member=&op=&memory_id=&since=&before=&limit=`",
    scope: "operate",
    response: z.object({ entries: z.array(auditEntry) }),
  }),
  listClients: defineEndpoint({
    method: "GET",
    path: "/api/clients",
    summary: "Clients that called since this backend started, or wrote before it: the last one first",
    scope: "operate",
    response: z.object({ clients: z.array(client) }),
  }),
  purge: defineEndpoint({
    method: "POST",
    path: "/api/purge",
    isLong: true,
    summary:
      "Delete memories permanently, by `ids`, `member` (with `private_only` only its private ones) or `session`; a preview unless `confirm` is true",
    scope: "admin",
    repeat: "replayed",
    response: receipt,
  }),
  setProject: defineEndpoint({
    method: "POST",
    path: "/api/projects",
    isLong: true,
    summary:
      "Open a project to everyone, or to some members only; `rename` it, `add_aliases`, `remove_aliases`; with `merge` the key of another project merges both",
    scope: "admin",
    repeat: "replayed",
    response: project,
  }),
  joinProjects: defineEndpoint({
    method: "POST",
    path: "/api/projects/join",
    isLong: true,
    summary: "Join a project to another, so that a split can undo it; a preview unless `confirm` is true",
    scope: "admin",
    repeat: "replayed",
    response: joinedProject,
  }),
  splitProject: defineEndpoint({
    method: "POST",
    path: "/api/projects/split",
    isLong: true,
    summary: "Take a project out of the one it was joined to; a preview unless `confirm` is true",
    scope: "admin",
    repeat: "replayed",
    response: joinedProject,
  }),
} as const;
