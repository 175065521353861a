import { expect } from "vitest";
import { z } from "zod";
import type { OldClient } from "./client.ts";

/** Call of one feature by a 1.5 client, with checks of the answer. */
export type Exchange = (client: OldClient) => Promise<void>;

const BREAKDOWN = z.object({
  relevance: z.number(),
  heat: z.number(),
  momentum: z.number(),
  importance: z.number(),
  activation: z.number(),
  ttl_penalty: z.number(),
  supersession_penalty: z.number(),
  activation_computed_at: z.unknown(),
});

const stored = z.object({
  memory_id: z.int(),
  entity_id: z.int(),
  layer: z.string(),
  pinned: z.boolean(),
  momentum: z.object({ score: z.number(), band: z.string() }),
});

const found = z.object({
  count: z.int(),
  total_candidates: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
  stopped_by: z.string(),
  search: z.string(),
  resolved_layer: z.string().nullable(),
  memories: z.array(
    z.object({
      id: z.int(),
      entity: z.object({ id: z.int(), name: z.string(), kind: z.string(), momentum: z.number() }),
      layer: z.string(),
      content: z.string(),
      importance: z.number(),
      created_at: z.int(),
      pinned: z.boolean(),
      heat: z.number(),
      band: z.string(),
      composite: z.number(),
      match_reasons: z.array(z.string()),
      score_breakdown: BREAKDOWN,
    }),
  ),
});

/** Stores one more memory with only the arguments that 1.5 always sends. */
export async function storedBy(client: OldClient, content: string, more: Record<string, unknown> = {}) {
  const input = { entity_name: "acme-api", entity_kind: "project", layer: "learning", content, ...more };
  return (await client.tool(stored, "chest_remember", input)).memory_id;
}

const soon = () => Math.floor(Date.now() / 1000) + 3600;

/** Calls by tool; together they send every argument of 1.5 at least once. */
export const TOOL_EXCHANGES: Record<string, Exchange> = {
  async chest_remember(client) {
    const old = await storedBy(client, "the gateway lives on host seven");
    const answer = await client.tool(stored.extend({ superseded: z.array(z.int()) }), "chest_remember", {
      entity_name: "Acme API",
      entity_kind: "project",
      entity_key: "git.example/acme/api",
      layer: "decision",
      content: "the gateway lives on host nine",
      importance: 0.95,
      force: true,
      expires_at: soon(),
      supersedes: [old],
    });
    expect(answer).toMatchObject({ layer: "learning", pinned: true, superseded: [old] });
    expect(answer.memory_id).toBeGreaterThan(old);
    const tooLong = await client.refusal("chest_remember", {
      entity_name: "a",
      entity_kind: "project",
      layer: "learning",
      content: "x".repeat(8001),
    });
    expect(tooLong).toEqual({
      status: 400,
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(/8000.*8001|8001.*8000/),
    });
  },

  async chest_recall(client) {
    const id = await storedBy(client, "quarterly ledgers are signed by the comptroller");
    const { memories } = await client.tool(found, "chest_recall", {
      query: "comptroller ledgers",
      entity_name: "ACME",
      layer: "insight",
      max_tokens: 1500,
      limit: 5,
      offset: 0,
      mark_accessed: false,
      include_archived: true,
      include_superseded: true,
      ignore_decay: true,
      snippet_mode: true,
      snippet_window: 120,
    });
    expect(memories[0]).toMatchObject({ id, layer: "learning" });
    const band = memories[0]?.band ?? "cold";
    const banded = await client.tool(found, "chest_recall", { query: "comptroller ledgers", band });
    expect(banded.memories.map((memory) => memory.id)).toContain(id);
    const byId = await client.tool(found, "chest_recall", { ids: [id] });
    expect(byId.memories).toEqual([
      expect.objectContaining({ content: "quarterly ledgers are signed by the comptroller" }),
    ]);
    expect(await client.refusal("chest_recall", {})).toMatchObject({ status: 400, code: "INVALID_INPUT" });
  },

  async chest_recall_file(client) {
    const none = z.object({ path_substring: z.string(), count: z.literal(0), note: z.string() });
    const input = { path_substring: "no/such/place.ts", max_intents: 5, scope_to_roots: false };
    expect(await client.tool(none, "chest_recall_file", input)).toMatchObject({ path_substring: "no/such/place.ts" });
    expect(await client.refusal("chest_recall_file", { path_substring: " " })).toMatchObject({ status: 400 });
  },

  async chest_update_memory(client) {
    const id = await storedBy(client, "builds take four minutes");
    const answer = await client.tool(
      z.object({ memory_id: z.int(), updated_fields: z.array(z.string()), pinned: z.boolean() }),
      "chest_update_memory",
      { memory_id: id, content: "builds take nine minutes", layer: "how", importance: 0.4 },
    );
    expect(answer).toMatchObject({ updated_fields: expect.arrayContaining(["content", "layer", "importance"]) });
    expect(await client.refusal("chest_update_memory", { memory_id: 999_999, importance: 0.1 })).toMatchObject({
      status: 404,
      code: "NOT_FOUND",
      message: expect.stringContaining("not found"),
    });
  },

  async chest_list_entities(client) {
    const layers = z.object({
      goal: z.int(),
      realize: z.int(),
      learning: z.int(),
      implementation: z.int(),
      context: z.int(),
      emotion: z.int(),
    });
    const entity = z.object({
      id: z.int(),
      name: z.string(),
      kind: z.string(),
      canonical_key: z.string().nullable(),
      momentum: z.number(),
      memory_count: z.int(),
      last_memory_access: z.string().nullable(),
      pinned_count: z.int(),
      layer_breakdown: layers,
    });
    const answer = await client.tool(
      z.object({
        total: z.int(),
        returned: z.int(),
        offset: z.int(),
        has_more: z.boolean(),
        entities: z.array(entity),
      }),
      "chest_list_entities",
      { kind: "project", min_memories: 1, limit: 30, offset: 0 },
    );
    expect(answer.entities).toHaveLength(answer.returned);
  },

  async chest_forget(client) {
    const id = await storedBy(client, "the old printer is in room four");
    const dry = z.object({ dry_run: z.literal(true), would_archive: z.int().nullable(), memory_id: z.int() });
    expect(await client.tool(dry, "chest_forget", { memory_id: id, dry_run: true })).toMatchObject({
      would_archive: id,
    });
    const done = z.object({ archived: z.int(), memory_id: z.int() });
    expect(await client.tool(done, "chest_forget", { memory_id: id, interactive: false })).toEqual({
      archived: 1,
      memory_id: id,
    });
    const pitfall = await storedBy(client, "never deploy on a Friday evening", { layer: "realize" });
    expect(await client.refusal("chest_forget", { memory_id: pitfall })).toMatchObject({
      status: 403,
      code: "PROTECTED",
    });
  },

  async "chest_forget without an id"(client) {
    const swept = z.object({
      dry_run: z.boolean(),
      scanned: z.int(),
      to_drop: z.int(),
      cap: z.int(),
      to_compress: z.int(),
      sample_ids_to_drop: z.array(z.int()),
    });
    expect(await client.tool(swept, "chest_forget", { dry_run: true })).toMatchObject({ dry_run: true });
  },

  async chest_consolidate(client) {
    const dry = z.object({
      dry_run: z.literal(true),
      clusters: z.int(),
      memories_replaced_if_run: z.int(),
      preview: z.array(z.object({ entity: z.string(), layer: z.string(), count: z.int() })),
    });
    await client.tool(dry, "chest_consolidate", { scope: "all", min_age_days: 0, dry_run: true });
    const run = z.object({
      scanned: z.int(),
      clustersCompressed: z.int(),
      memoriesReplaced: z.int(),
      memoriesDropped: z.int(),
      learningIdsCreated: z.array(z.int()),
    });
    await client.tool(run, "chest_consolidate", { scope: "session", use_llm: false });
  },

  async chest_read_smart(client) {
    // This tool runs beside the agent, because a backend has no workspace.
    expect(await client.refusal("chest_read_smart", { path: "README.md", force: false })).toMatchObject({
      status: 403,
      code: "OUTSIDE_ROOTS",
      message: expect.stringMatching(/^Access denied/),
    });
  },
};
