import { createHash } from "node:crypto";
import { expect } from "vitest";
import { z } from "zod";
import { type Exchange, storedBy } from "./tools.ts";

const SNAPSHOT = {
  path: "/home/dev/acme/src/login.ts",
  content_hash: "9f86d081884c7d65",
  mtime: 1_795_291_747,
  size_bytes: 120,
  chunks: JSON.stringify([{ id: "function:login", kind: "function", start_line: 1, end_line: 9, hash: "aa" }]),
};
const SESSION = "6d1f2f6e-0000-4000-8000-0000000000aa";
const done = z.object({ ok: z.literal(true) });

const pendingPage = z.object({
  items: z.array(z.object({ id: z.int(), content: z.string(), text_for_embedding: z.string() })),
  next_cursor: z.int(),
  remaining: z.int(),
});

/** One user turn and one edit, as an agent writes them into its transcript. */
const TRANSCRIPT = [
  {
    type: "user",
    uuid: "11111111-0000-4000-8000-000000000001",
    sessionId: SESSION,
    cwd: "/home/dev/acme",
    timestamp: "2026-11-20T10:00:00.000Z",
    message: { role: "user", content: "fix the flaky login test please" },
  },
  {
    type: "assistant",
    uuid: "11111111-0000-4000-8000-000000000002",
    sessionId: SESSION,
    cwd: "/home/dev/acme",
    timestamp: "2026-11-20T10:00:05.000Z",
    message: {
      role: "assistant",
      content: [
        {
          type: "tool_use",
          id: "t1",
          name: "Edit",
          input: {
            file_path: "/home/dev/acme/src/auth/login.test.ts",
            old_string: "sleep(1)",
            new_string: "await ready()",
          },
        },
      ],
    },
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

/** Requests of 1.5 clients and hooks, by route. */
export const ENDPOINT_EXCHANGES: Record<string, Exchange> = {
  async "GET /healthz"(client) {
    const health = await client.read(
      z.object({
        ok: z.literal(true),
        version: z.string(),
        db: z.literal("ok"),
        embedding: z.object({ provider: z.string(), model: z.string().nullable(), dim: z.int().nullable() }),
      }),
      ...(["GET", "/healthz"] as const),
    );
    expect(health.version).toMatch(/^\d+\.\d+\.\d+$/);
  },

  async "GET /capabilities"(client) {
    const said = await client.read(
      z.object({
        api_version: z.string(),
        min_required_client_version: z.string(),
        server_has_embedder: z.boolean(),
        server_time: z.iso.datetime(),
        features: z.array(z.string()),
      }),
      ...(["GET", "/capabilities"] as const),
    );
    expect(said.min_required_client_version).toBe("1.5.0");
    const firstFour = ["client-embed", "pending-resync", "memories-pending-list", "memories-embedding-update"];
    expect(said.features.slice(0, 4)).toEqual(firstFour);
  },

  async "GET /diagnostics/db"(client) {
    const found = await client.read(
      z.object({
        db_path: z.string(),
        exists: z.boolean(),
        size_bytes: z.int(),
        integrity_check: z.string(),
        journal_mode: z.string(),
        tables_present: z.array(z.string()),
        missing_tables: z.array(z.string()),
        writable: z.boolean(),
      }),
      ...(["GET", "/diagnostics/db"] as const),
    );
    expect(found).toMatchObject({ exists: true, integrity_check: "ok", journal_mode: "wal", writable: true });
  },

  async "GET /memories/pending"(client) {
    const id = await storedBy(client, "rows wait here until somebody embeds them");
    const page = await client.read(pendingPage, "GET", `/memories/pending?limit=50&cursor=${id - 1}`);
    expect(page.items[0]).toMatchObject({ id, content: "rows wait here until somebody embeds them" });
    expect(page.remaining).toBeGreaterThan(0);
  },

  async "POST /memories/:id/embedding"(client) {
    const id = await storedBy(client, "a vector for this one comes from the client");
    const { items } = await client.read(pendingPage, "GET", `/memories/pending?cursor=${id - 1}`);
    const text = items[0]?.text_for_embedding ?? "";
    const push = {
      embedding: Array.from({ length: 1024 }, (_, at) => Math.sin(at + 1)),
      model: "Xenova/bge-m3",
      embedding_status: "ok",
      // A 1.5 client hashes its own copy of the content, which equals this text.
      content_sha1: createHash("sha1").update(text).digest("hex"),
    };
    const answer = z.object({
      id: z.int(),
      embedding_status: z.literal("ok"),
      embedding_model: z.string(),
      updated_at: z.string(),
    });
    expect(await client.read(answer, "POST", `/memories/${id}/embedding`, push)).toMatchObject({ id });
    const stale = await client.send("POST", `/memories/${id}/embedding`, { ...push, content_sha1: "0".repeat(40) });
    expect(stale.status).toBe(409);
  },

  async "POST /api/tools/_snapshot_get"(client) {
    const nothing = z.object({ snapshot: z.null(), facts: z.array(z.unknown()) });
    await client.tool(nothing, "_snapshot_get", { path: "/home/dev/acme/never-read.ts" });
  },

  async "POST /api/tools/_snapshot_put"(client) {
    await client.tool(done, "_snapshot_put", SNAPSHOT);
    const kept = z.object({ ...mapped(SNAPSHOT), last_read_at: z.string(), read_count: z.int() });
    const { snapshot } = await client.tool(z.object({ snapshot: kept }), "_snapshot_get", { path: SNAPSHOT.path });
    expect(snapshot).toMatchObject(SNAPSHOT);
  },

  async "POST /api/tools/_snapshot_touch"(client) {
    await client.tool(done, "_snapshot_touch", { path: SNAPSHOT.path, mtime: SNAPSHOT.mtime + 1 });
  },

  async "POST /api/hooks/recall"(client) {
    const content = "the staging cluster drops every websocket at midnight";
    const id = await storedBy(client, content, { layer: "realize" });
    const shown = z.object({
      id: z.int(),
      layer: z.string(),
      title: z.string(),
      content: z.string(),
      importance: z.number(),
      score: z.number(),
      created_at: z.string(),
    });
    const { memories } = await client.read(
      z.object({ ok: z.literal(true), memories: z.array(shown) }),
      ...(["POST", "/api/hooks/recall"] as const),
      { query: "websocket drops at midnight", layers: ["realize", "learning"], limit: 8, max_tokens: 1500 },
    );
    expect(memories[0]).toMatchObject({ id, title: "acme-api / realize" });
  },

  async "POST /api/hooks/sync-session"(client) {
    const headers = { "content-type": "text/plain", "x-session-id": SESSION };
    const taken = z.object({
      ok: z.literal(true),
      sessionId: z.string(),
      projectName: z.string(),
      memoriesInserted: z.int(),
      editsInserted: z.int(),
    });
    const answer = await client.read(taken, "POST", "/api/hooks/sync-session", TRANSCRIPT, headers);
    expect(answer).toMatchObject({ sessionId: SESSION, editsInserted: 1 });
    const nothing = z.object({ ok: z.literal(true), skipped: z.literal(true), reason: z.string() });
    await client.read(nothing, "POST", "/api/hooks/sync-session", "\n", headers);
  },

  async "POST /api/hooks/precompact"(client) {
    const saved = z.object({ ok: z.literal(true), saved: z.boolean() });
    await client.read(saved, "POST", "/api/hooks/precompact", { session_id: SESSION });
  },

  async "GET /api/hooks/snapshot/:sessionId"(client) {
    expect(await client.send("GET", "/api/hooks/snapshot/nobody-has-this-session")).toMatchObject({
      status: 404,
      body: { ok: false, error: { code: "NOT_FOUND" } },
    });
  },
};

const mapped = (example: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(example).map(([key, value]) => [key, typeof value === "number" ? z.int() : z.string()]),
  );
