import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

/** A memory as lists show it; times are Unix seconds. */
export const memoryRow = z.looseObject({
  id: z.int(),
  title: z.string(),
  content: z.string().describe("Its beginning"),
  content_truncated: z.literal(true).optional(),
  entity: z.object({ id: z.int(), name: z.string(), kind: z.string() }),
  layer: z.string(),
  category: z.string().optional(),
  name: z.string().optional(),
  tags: z.array(z.string()),
  importance: z.number(),
  pinned: z.boolean(),
  confidence: z.number(),
  certainty: z.string(),
  source_type: z.string(),
  visibility: z.string(),
  requested_visibility: z.string().optional().describe("Set for one that waits until an admin lets the team see it"),
  project: z.string().optional(),
  author: z.string(),
  session_id: z.string().optional(),
  created_at: z.int(),
  updated_at: z.int(),
  expires_at: z.int().optional(),
  access_count: z.int(),
  last_accessed_at: z.int().optional(),
  version: z.int(),
  flagged: z.array(z.string()).optional().describe("Signs that its text gives orders to an agent, or hides something"),
  state: z.enum(["live", "archived", "superseded"]),
  archived_at: z.int().optional(),
  archived_reason: z.string().optional(),
  superseded_by_id: z.int().optional(),
});

const row = memoryRow;

const link = z.looseObject({
  type: z.string(),
  direction: z.enum(["to", "from"]).describe("From this memory to the other, or the other way"),
  note: z.string().optional(),
  origin: z.enum(["manual", "auto"]),
  author: z.string(),
  created_at: z.int(),
  memory: row,
});

const whole = row.extend({
  uid: z.string(),
  content: z.string().describe("All of it"),
  evidence: z.array(z.string()),
  git_commit: z.string().nullable(),
  git_branch: z.string().nullable(),
  client: z
    .string()
    .optional()
    .describe("Client that stored it, and the agent it worked for, as they state themselves"),
});

const version = z.looseObject({
  version: z.int(),
  content: z.string(),
  title: z
    .string()
    .nullable()
    .optional()
    .describe("This and the next are absent where a version was kept without them"),
  layer: z.string().optional(),
  importance: z.number().optional(),
  tags: z.array(z.string()).optional(),
  category: z.string().nullable().optional(),
  certainty: z.string().optional(),
  confidence: z.number().optional(),
  evidence: z.array(z.string()).optional(),
  visibility: z.string().optional(),
  since: z.string().optional(),
  until: z.string().optional().describe("Absent for what it says now"),
  ended_by: z.string().optional(),
  changed_by: z.string().optional(),
  reason: z.string().optional(),
  moved_from: z
    .string()
    .optional()
    .describe("Project that a move took it out of, and the next where to: those that the caller may open"),
  moved_to: z.string().optional(),
});

const source = z.looseObject({
  path: z.string(),
  line: z.int().optional(),
  end_line: z.int().optional(),
  status: z.enum(["ok", "stale", "missing", "unknown"]).describe("By its last check, by any client"),
  hash: z.string().nullable().describe("SHA-256 of the file as it was noted; null where no client has read it"),
  git_commit: z.string().optional(),
  checked_at: z.int().optional(),
  checked_by: z.string().optional(),
  found_hash: z.string().optional().describe("SHA-256 that its last check found in place of the noted one"),
});

const step = z.looseObject({
  kind: z.enum(["prompt", "shown", "edit", "failure", "remembered", "left"]),
  at: z.int(),
  text: z.string().optional().describe("Of a prompt, a failure, and the state that it left"),
  path: z.string().optional(),
  times: z.int().optional(),
  surface: z.enum(["start", "prompt", "file", "failure"]).optional().describe("When a hook showed it"),
  tokens: z.int().optional(),
  memories: z
    .array(row.extend({ tokens: z.int() }))
    .optional()
    .describe("Shown"),
  memory: row.optional().describe("Remembered"),
  rule: z.string().optional().describe("Rule that found it; absent for one that was stored on purpose"),
});

const page = { _notice: z.string(), ok: z.literal(true), total: z.int().describe("All that the caller may see") };

/** Facts of a span of time. */
const news = {
  learned: z.looseObject({
    total: z.int(),
    projects: z.array(z.looseObject({ project: z.string().optional(), memories: z.int() })),
    memories: z.array(row).describe("The newest"),
  }),
  rules: z.array(row).describe("Pitfalls that other members noted"),
  helped: z.looseObject({
    opened: z.int(),
    memories: z.array(row.extend({ times: z.int() })).describe("Opened most"),
  }),
  gaps: z
    .array(z.looseObject({ question: z.string(), times: z.int() }))
    .optional()
    .describe("Questions that found nothing, for those who operate, where they are kept"),
};
const inboxCounts = z.looseObject({
  contradictions: z.int(),
  duplicates: z.int(),
  flagged: z.int(),
  stale: z.int(),
  promotions: z.int(),
});

const inboxNote = z.looseObject({
  assignee: z.string().optional(),
  snoozed_until: z.int().optional().describe("Also a time that has passed"),
  reason: z.string().optional(),
  author: z.string().describe("Member who noted it last"),
  noted_at: z.int(),
});

/** Endpoints that list memories, and show one whole. */
export const memoryEndpoints = {
  listMemories: defineEndpoint({
    method: "GET",
    path: "/api/memories",
    summary: "A page of the memories that pass every filter; `next_cursor` stays valid during writes",
    scope: "read",
    response: z.looseObject({
      ...page,
      next_cursor: z.string().optional(),
      between: z
        .looseObject({ since: z.string().optional(), until: z.string().optional(), time_zone: z.string() })
        .optional()
        .describe("How `since` and `until` were understood, by the clocks of that zone"),
      memories: z.array(row),
    }),
  }),
  memory: defineEndpoint({
    method: "GET",
    path: "/api/memories/:id",
    summary: "One memory in any state, whole, with its versions, links, sources and files",
    scope: "read",
    response: z.looseObject({
      _notice: z.string(),
      ok: z.literal(true),
      memory: whole,
      versions: z.array(version),
      versions_total: z.int(),
      links: z.array(link),
      links_total: z.int(),
      files: z.array(z.looseObject({ path: z.string(), role: z.string() })),
      sources: z.array(source),
      used_by: z
        .array(z.looseObject({ member: z.string().nullable(), at: z.int() }))
        .optional()
        .describe("Recalls that showed it, the newest 50; for its author and admins"),
    }),
  }),
  memoryGraph: defineEndpoint({
    method: "GET",
    path: "/api/memories/:id/graph",
    summary: "The memories that one is linked with, directly or over others, at most 300, and the links between them",
    scope: "read",
    response: z.looseObject({
      _notice: z.string(),
      ok: z.literal(true),
      is_cut: z.boolean().describe("There are more"),
      memories: z.array(row.extend({ steps: z.int().describe("Links away from the one asked for") })),
      links: z.array(z.looseObject({ from: z.int(), to: z.int(), type: z.string(), note: z.string().optional() })),
    }),
  }),
  listSessions: defineEndpoint({
    method: "GET",
    path: "/api/sessions",
    summary: "Sessions that left memories the caller may see, the last active first, and the caller's own handoffs",
    scope: "read",
    response: z.looseObject({
      ...page,
      sessions: z.array(
        z.looseObject({
          session_id: z.string(),
          name: z.string().optional().describe("First request, else the first thing that it stored"),
          author: z.string(),
          client: z.string().optional().describe("Client and agent, as they state themselves"),
          project: z.string().optional(),
          memories: z.int().describe("That it left, its journal aside"),
          edits: z.int().describe("Of files"),
          files: z.int().describe("That it edited"),
          first_at: z.int(),
          last_at: z.int(),
        }),
      ),
      handoffs: z.array(
        z.looseObject({
          session_id: z.string(),
          kind: z.enum(["compact", "clear", "exit"]),
          at: z.int(),
          is_taken: z.boolean().describe("Another session went on with it"),
          git_branch: z.string().optional(),
          text: z.string(),
        }),
      ),
    }),
  }),
  session: defineEndpoint({
    method: "GET",
    path: "/api/sessions/:id",
    summary:
      "A session in order of time: asked, shown with tokens, edited, failed, remembered, left; only what the caller may see",
    scope: "read",
    response: z.looseObject({
      _notice: z.string(),
      ok: z.literal(true),
      session_id: z.string(),
      name: z.string().optional(),
      author: z.string(),
      client: z.string().optional(),
      project: z.string().optional(),
      first_at: z.int(),
      last_at: z.int(),
      files: z.int().describe("That it edited"),
      tokens: z.int().describe("Of the lines that hooks showed it"),
      steps: z.array(step),
    }),
  }),
  conversation: defineEndpoint({
    method: "GET",
    path: "/api/conversations/:id",
    summary: "Turns of a conversation of one project, or of none, the newest first",
    scope: "read",
    response: z.looseObject({
      _notice: z.string(),
      ok: z.literal(true),
      turns: z.array(z.looseObject({ id: z.int(), at: z.string(), content: z.string(), author: z.string() })),
    }),
  }),
  listGaps: defineEndpoint({
    method: "GET",
    path: "/api/gaps",
    summary:
      "Questions that found nothing, scrubbed, of the projects the caller may open; none where `CHEST_KEEP_GAPS` is off",
    scope: "operate",
    response: z.looseObject({
      ok: z.literal(true),
      is_kept: z.boolean(),
      gaps: z.array(
        z.looseObject({
          question: z.string(),
          project: z.string().optional(),
          times: z.int(),
          first_at: z.string(),
          last_at: z.string(),
        }),
      ),
    }),
  }),
  view: defineEndpoint({
    method: "GET",
    path: "/api/views/:view",
    summary: "A view of `chest_inspect`, with its arguments in the query",
    scope: "read",
    response: z.looseObject({
      ...page,
      view: z.string(),
      offset: z.int(),
      has_more: z.boolean(),
      items: z.array(z.looseObject({})),
    }),
  }),
  inbox: defineEndpoint({
    method: "GET",
    path: "/api/inbox",
    summary:
      "How much waits for a person, by the view that lists it; counts what the caller may see, without what is snoozed or assigned to another member",
    scope: "read",
    response: z.looseObject({
      ok: z.literal(true),
      counts: inboxCounts,
    }),
  }),
  inboxQueue: defineEndpoint({
    method: "GET",
    path: "/api/inbox/:queue",
    summary:
      "Items of the inbox as their view shows them, with whom they are assigned to and until when they are snoozed",
    scope: "read",
    response: z.looseObject({
      ...page,
      offset: z.int(),
      has_more: z.boolean(),
      items: z.array(z.looseObject({ note: inboxNote.optional() })),
    }),
  }),
  inboxDeciders: defineEndpoint({
    method: "GET",
    path: "/api/inbox/deciders",
    summary: "Members to whom an item of the inbox can be assigned: those who may open and decide it",
    scope: "write",
    response: z.looseObject({ ok: z.literal(true), members: z.array(z.string()) }),
  }),
  noteInbox: defineEndpoint({
    method: "POST",
    path: "/api/inbox",
    summary:
      "Assign items of the inbox to a member, snooze them until a time, or say why; a field that is left out stays, null clears it",
    scope: "write",
    repeat: "replayed",
    response: z.object({ ok: z.literal(true), items: z.int().describe("Number of those that were changed") }),
  }),
  home: defineEndpoint({
    method: "GET",
    path: "/api/home",
    summary:
      "What happened since the member last looked, or for a day or a week: learned, opened, waiting, unanswered, put off; counts what the caller may see",
    scope: "read",
    response: z.looseObject({
      _notice: z.string(),
      ok: z.literal(true),
      since: z.int(),
      until: z.int().describe("For `POST /api/home`, once this was seen"),
      looked_at: z.int().optional(),
      ...news,
      waiting: z.looseObject({ contradictions: z.int(), flagged: z.int(), stale: z.int(), promotions: z.int() }),
      work: z.looseObject({
        total: z.int(),
        items: z.array(z.looseObject({ id: z.string(), title: z.string(), priority: z.int(), author: z.string() })),
      }),
      handoffs: z.array(z.looseObject({ session_id: z.string(), at: z.int(), text: z.string() })),
    }),
  }),
  look: defineEndpoint({
    method: "POST",
    path: "/api/home",
    summary: "Note that the member has seen what was new up to a moment",
    scope: "read",
    response: z.object({ ok: z.literal(true), looked_at: z.int() }),
  }),
  digest: defineEndpoint({
    method: "GET",
    path: "/api/digest",
    summary:
      "News of the last `days`, as facts and as Markdown: learned, opened, waiting, unanswered; of all that the caller may see, or of one `project`",
    scope: "read",
    response: z.looseObject({
      _notice: z.string(),
      ok: z.literal(true),
      since: z.int(),
      until: z.int(),
      project: z.string().optional(),
      ...news,
      waiting: inboxCounts,
      text: z.string().describe("The facts in sentences, as Markdown"),
    }),
  }),
  stats: defineEndpoint({
    method: "GET",
    path: "/stats",
    summary:
      "Totals over what the caller may see, as in the view `stats`; `?series=day&days=90` adds, for each day, the live memories made then and how often memories were opened",
    scope: "read",
    response: z.looseObject({
      ok: z.literal(true),
      stats: z.looseObject({ memories: z.int() }),
      series: z.array(z.looseObject({ day: z.string(), memories: z.int(), openings: z.int() })).optional(),
    }),
  }),
} as const;
