import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { BODY_LIMITS } from "./limits.ts";
import { memoryRow } from "./memory-endpoints.ts";

/** Endpoint of a hook's text: one block, and the ids in it. */
const hook = (event: string, summary: string) =>
  defineEndpoint({
    method: "POST",
    path: `/api/hooks/${event}`,
    summary,
    scope: "read",
    response: z.looseObject({
      ok: z.literal(true),
      /** Left out when there is nothing to say. */
      context: z.string().optional(),
      shown: z.array(z.int()).optional(),
      handoff: z
        .literal("pending")
        .optional()
        .describe("The first prompt decides whether the session continues what the last one left"),
      unsaved: z
        .literal("asked")
        .optional()
        .describe("The context asks the agent to save what its session found out; say `is_asked` from now on"),
    }),
  });

const keepsWork = (event: string, summary: string) =>
  defineEndpoint({
    method: "POST",
    path: `/api/hooks/${event}`,
    summary,
    scope: "write",
    repeat: "replayed",
    response: z.looseObject({ ok: z.literal(true), saved: z.boolean() }),
  });

/** Endpoints that serve an agent's hook events. */
export const hookEndpoints = {
  hookRecall: defineEndpoint({
    method: "POST",
    path: "/api/hooks/recall",
    summary: "What a hook shows before a prompt; marks nothing as read",
    scope: "read",
    response: z.looseObject({
      ok: z.literal(true),
      notice: z.string(),
      memories: z.array(
        z.looseObject({
          id: z.int(),
          layer: z.string(),
          title: z.string(),
          content: z.string(),
          importance: z.number(),
          score: z.number(),
          project: z.string().optional(),
          created_at: z.string(),
        }),
      ),
    }),
  }),
  hookPrompt: hook("prompt", "What is known about a prompt, as a block of text; marks nothing as read"),
  hookPreEdit: hook("pre-edit", "What is known about a file that is about to be read or edited"),
  hookPostTool: hook("post-tool", "What is known of a failure: what fixed it before, or warns of it"),
  hookSessionStart: hook("session-start", "Text for a session that begins, or continues without its context"),
  hookPreview: defineEndpoint({
    method: "POST",
    path: "/api/hooks/preview",
    summary:
      "Show what an agent would be given at the start of a session and beside a prompt, each line with its reason, and why not a memory; changes nothing",
    scope: "read",
    response: z.looseObject({
      _notice: z.string(),
      ok: z.literal(true),
      is_worth_asking: z.boolean().describe("False: the prompt says too little for a hook to look anything up"),
      blocks: z.array(
        z.looseObject({
          moment: z.enum(["start", "prompt"]),
          text: z.string().describe("Exactly as the agent reads it; empty where nothing is shown"),
          tokens: z.int(),
          lines: z.array(
            z.looseObject({
              text: z.string(),
              tokens: z.int(),
              reason: z.looseObject({
                kind: z.enum([
                  ...["handoff", "triggered", "words", "meaning", "both", "file", "failure"],
                  ...["state", "news", "goal", "known"],
                ] as [string, ...string[]]),
                words: z.number().optional().describe("Share of the prompt's words that stand in it, by rarity"),
                meaning: z.number().optional().describe("Nearness in meaning, 0 to 1"),
              }),
              memory: memoryRow.optional(),
            }),
          ),
        }),
      ),
      why_not: z
        .looseObject({
          memory_id: z.int(),
          why: z.string().describe("A word, like `archived`, `elsewhere`, `says_little`, `repeats` or `not_found`"),
          better: z.int().optional().describe("The shown memory that it repeats"),
        })
        .optional(),
    }),
  }),
  hookPreCompact: keepsWork(
    "precompact",
    "Store a session's state before its context is compacted; accepts the host's event unchanged",
  ),
  hookSessionEnd: keepsWork("session-end", "Store a session's state, and close it; accepts the host's event unchanged"),
  workSnapshot: defineEndpoint({
    method: "GET",
    path: "/api/hooks/snapshot/:sessionId",
    summary: "State of a session when its context was compacted, or it ended",
    scope: "read",
    response: z.looseObject({ ok: z.literal(true), text: z.string() }),
  }),
  syncSession: defineEndpoint({
    method: "POST",
    path: "/api/hooks/sync-session",
    isLong: true,
    summary: "Accept a session's transcript, or its lines from `?from_line=` on; known lines change nothing",
    scope: "write",
    bodyLimit: BODY_LIMITS.sessionSync,
    repeat: "replayed",
    response: z.looseObject({
      ok: z.literal(true),
      sessionId: z.string().optional(),
      projectName: z.string().optional(),
      memoriesInserted: z.int().optional(),
      memoriesUpdated: z.int().optional(),
      editsInserted: z.int().optional(),
      /** Line at which the next part begins. */
      next_line: z.int().optional(),
      skipped_lines: z.int().optional(),
      /** Lines that were new. */
      lines: z.int().optional(),
      /** Counts of the findings: inserted, updated, unchanged, and the reasons of the others. */
      memories: z.record(z.string(), z.int()).optional(),
      /** Finds, by the rule that found them. */
      found: z.record(z.string(), z.int()).optional(),
      /** How many finds became no memory, by the reason. */
      dropped: z.record(z.string(), z.int()).optional(),
      /** No line of it could be used. */
      skipped: z.literal(true).optional(),
      reason: z.string().optional(),
    }),
  }),
  memoryFiles: defineEndpoint({
    method: "POST",
    path: "/api/hooks/memory-files",
    summary: "Accept the notes that an agent keeps by hand; known notes change nothing",
    scope: "write",
    bodyLimit: BODY_LIMITS.tool,
    repeat: "replayed",
    response: z.looseObject({
      ok: z.literal(true),
      /** Counts of the notes: inserted, updated, unchanged, archived, and the reasons of the others. */
      memories: z.record(z.string(), z.int()),
    }),
  }),
} as const;
