import { z } from "zod";
import { accessEndpoints } from "./access-endpoints.ts";
import { capabilities } from "./capabilities.ts";
import { dbFacts, hostFacts } from "./diagnosis.ts";
import { defineEndpoint } from "./endpoint.ts";
import { errorEnvelope } from "./envelope.ts";
import { eventEndpoints } from "./event-endpoints.ts";
import { hookEndpoints } from "./hook-endpoints.ts";
import { BODY_LIMITS } from "./limits.ts";
import { maintenanceEndpoints } from "./maintenance-endpoints.ts";
import { memoryEndpoints } from "./memory-endpoints.ts";
import { modelEndpoints } from "./model-endpoints.ts";
import { oauthEndpoints } from "./oauth-endpoints.ts";
import { signInEndpoints } from "./sign-in-endpoints.ts";
import { webhookEndpoints } from "./webhook-endpoints.ts";

const provider = z.object({
  provider: z.string().describe("`none` if nothing is embedded here now"),
  model: z.string().nullable(),
  dim: z.int().nullable(),
  state: z.string().optional().describe("`ok`, or why no vectors are made although they should be"),
});
const state = z.enum(["ok", "error"]);

const backup = z.looseObject({
  file: z.string(),
  made_at: z.string(),
  reason: z.string(),
  bytes: z.int(),
  sha256: z.string().nullable(),
  schema: z.string().nullable(),
  memories: z.int().nullable(),
});
export type BackupRow = z.output<typeof backup>;

const done = z.object({ ok: z.literal(true), result: z.looseObject({ ok: z.literal(true) }) });

const workList = z.looseObject({
  ok: z.literal(true),
  action: z.string().optional(),
  total: z.int().optional().describe("Of open work; more than `items` where the list is cut"),
  items: z.array(
    z.looseObject({
      id: z.string().describe("`W#17`"),
      ordinal: z.int().nullable().describe("Its number in the list of open work"),
      title: z.string(),
      priority: z.int().describe("1 is the most urgent"),
      status: z.string(),
      author: z.string(),
      project: z.string().optional(),
      age_days: z.int(),
      files: z.array(z.string()),
      detail: z.string().optional(),
      reason: z.string().optional().describe("Why it was dropped"),
      memory_id: z.int().optional().describe("The memory that tells how it was done"),
      closed_at: z.string().optional(),
    }),
  ),
});

/** The language model as an operator sees it. */
const llmState = {
  configured: z.boolean(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  resting: z.boolean(),
  tokens_today: z.int(),
  tokens_a_day: z.int(),
};

/** Every call the backend answers, by name. */
export const endpoints = {
  ...accessEndpoints,
  ...signInEndpoints,
  ...oauthEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  healthz: defineEndpoint({
    method: "GET",
    path: "/healthz",
    summary: "Is the process up and its database answering",
    scope: undefined,
    response: z.looseObject({
      ok: z.boolean(),
      wire: z
        .string()
        .optional()
        .describe("Version of the wire, which older backends name `version` alone; the release is in `/capabilities`"),
      version: z.string().describe("The same, by the name that older clients know"),
      db: state,
      embedding: provider,
    }),
  }),
  readyz: defineEndpoint({
    method: "GET",
    path: "/readyz",
    summary: "Can this backend take a write now",
    scope: undefined,
    response: z.looseObject({
      ok: z.boolean(),
      checks: z.object({ db: state, writer: state, search: state, disk: state }),
    }),
  }),
  capabilities: defineEndpoint({
    method: "GET",
    path: "/capabilities",
    summary: "What this backend speaks, offers and limits",
    scope: "read",
    response: capabilities,
  }),
  tool: defineEndpoint({
    method: "POST",
    path: "/api/tools/:tool",
    summary: "Run a tool; the body is its arguments",
    // A reading token reaches the route; a tool that writes asks for more.
    scope: "read",
    bodyLimit: BODY_LIMITS.tool,
    response: z.object({ ok: z.literal(true), result: z.looseObject({ ok: z.literal(true) }) }),
  }),
  pending: defineEndpoint({
    method: "GET",
    path: "/memories/pending",
    summary: "A page of the memories without a vector of the active model: `?limit=50&cursor=0`",
    scope: "read",
    response: z.looseObject({
      items: z.array(
        z.looseObject({
          id: z.int(),
          content: z.string(),
          text_for_embedding: z.string(),
          content_sha1: z.string(),
        }),
      ),
      next_cursor: z.int(),
      remaining: z.int(),
    }),
  }),
  claimPending: defineEndpoint({
    method: "POST",
    path: "/memories/pending/claim",
    summary: "Claim the next memories without a vector, so that no other embedder takes them; needs `read` too",
    scope: "write",
    repeat: "replayed",
    response: z.looseObject({
      items: z.array(z.looseObject({ id: z.int(), text_for_embedding: z.string(), content_sha1: z.string() })),
      remaining: z.int(),
    }),
  }),
  releasePending: defineEndpoint({
    method: "POST",
    path: "/memories/pending/release",
    summary: "Return claimed memories that were not embedded",
    scope: "write",
    repeat: "harmless",
    response: z.looseObject({ ok: z.literal(true) }),
  }),
  pushEmbedding: defineEndpoint({
    method: "POST",
    path: "/memories/:id/embedding",
    summary: "Store the vector of one memory",
    scope: "write",
    bodyLimit: BODY_LIMITS.embedding,
    repeat: "harmless",
    response: z.looseObject({
      id: z.int(),
      embedding_status: z.literal("ok"),
      embedding_model: z.string(),
      updated_at: z.string(),
    }),
  }),
  pushEmbeddings: defineEndpoint({
    method: "POST",
    path: "/memories/embeddings",
    summary: "Store the vectors of up to 128 memories; a refused one does not block the others",
    scope: "write",
    bodyLimit: BODY_LIMITS.embeddings,
    repeat: "harmless",
    response: z.looseObject({
      stored: z.int(),
      failed: z.int(),
      results: z.array(z.looseObject({ id: z.int(), ok: z.boolean(), error: errorEnvelope.shape.error.optional() })),
    }),
  }),
  diagnoseDb: defineEndpoint({
    method: "GET",
    path: "/diagnostics/db",
    summary: "Check the whole database and try its writer",
    scope: "operate",
    response: dbFacts,
  }),
  diagnoseHost: defineEndpoint({
    method: "GET",
    path: "/diagnostics/host",
    summary: "Data for the doctor: settings, counts, disk, permissions, backups",
    scope: "operate",
    response: hostFacts,
  }),
  listBackups: defineEndpoint({
    method: "GET",
    path: "/api/backups",
    summary: "All backups, newest first",
    scope: "operate",
    response: z.looseObject({ ok: z.literal(true), backups: z.array(backup) }),
  }),
  makeBackup: defineEndpoint({
    method: "POST",
    path: "/api/backups",
    isLong: true,
    summary: "Make a backup now; waits for one in progress",
    scope: "operate",
    repeat: "replayed",
    response: z.looseObject({ ok: z.literal(true), backup }),
  }),
  ...maintenanceEndpoints,
  ...modelEndpoints,
  ...hookEndpoints,
  ...memoryEndpoints,
  resource: defineEndpoint({
    method: "GET",
    path: "/api/resources",
    summary: "An MCP resource by its address: `?uri=memory://…`",
    scope: "read",
    response: z.looseObject({ _notice: z.string() }),
  }),
  listWork: defineEndpoint({
    method: "GET",
    path: "/api/work",
    summary: "Open work of the project, by priority, then oldest; with `?closed=true` closed and dropped items",
    scope: "read",
    response: workList,
  }),
  changeWork: defineEndpoint({
    method: "POST",
    path: "/api/work",
    summary: "Defer, close, drop or reopen work; the body is the arguments of `chest_work`",
    scope: "write",
    bodyLimit: BODY_LIMITS.tool,
    repeat: "replayed",
    response: workList,
  }),
  llm: defineEndpoint({
    method: "GET",
    path: "/api/llm",
    summary: "Which language model is configured, and what it cost today",
    scope: "operate",
    response: z.looseObject({ ok: z.literal(true), ...llmState }),
  }),
  testLlm: defineEndpoint({
    method: "POST",
    path: "/api/llm/test",
    summary: "Ask the language model for one word",
    scope: "operate",
    response: z.looseObject({
      ok: z.literal(true),
      writes: z.boolean(),
      reason: z.string().nullable(),
      /** A status or an error's code, such as `HTTP 401`; a backend of before has none. */
      cause: z.string().nullish(),
      ms: z.int(),
      ...llmState,
    }),
  }),
  snapshotGet: defineEndpoint({
    method: "POST",
    path: "/api/tools/_snapshot_get",
    summary: "What a session last received of a file",
    scope: "write",
    bodyLimit: BODY_LIMITS.tool,
    response: z.object({
      ok: z.literal(true),
      result: z.looseObject({
        ok: z.literal(true),
        snapshot: z
          .looseObject({
            path: z.string(),
            content_hash: z.string(),
            mtime: z.int(),
            size_bytes: z.int(),
            chunks: z.string(),
            last_read_at: z.string(),
            read_count: z.int(),
          })
          .nullable(),
        facts: z
          .array(z.looseObject({ id: z.int(), layer: z.string(), preview: z.string() }))
          .describe("Memories about the file that the caller may see; none for a token without `read`"),
      }),
    }),
  }),
  snapshotPut: defineEndpoint({
    method: "POST",
    path: "/api/tools/_snapshot_put",
    summary: "Record what a session received of a file",
    scope: "write",
    bodyLimit: BODY_LIMITS.tool,
    repeat: "replayed",
    response: done,
  }),
  snapshotTouch: defineEndpoint({
    method: "POST",
    path: "/api/tools/_snapshot_touch",
    summary: "Note that a session read a file again",
    scope: "write",
    bodyLimit: BODY_LIMITS.tool,
    repeat: "replayed",
    response: done,
  }),
} as const;
