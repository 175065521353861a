import { TOOLS } from "@chest/core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSqliteApp, type SqliteApp } from "./testing/sqlite-app.ts";

// Each row makes its store anew.
vi.setConfig({ testTimeout: 30_000 });

// The reader works in pear; what is to be found or not is about the word `squirrel` and the entity `hideout`.
const READER = "reader";
const OTHER = "other";
const AT_WORK = { member: READER, project: "host/org/pear" };

const TARGETS = {
  "its own": { by: AT_WORK, over: { visibility: "private" } },
  "another member's": { by: { member: OTHER, project: "host/org/pear" }, over: { visibility: "private" } },
  "another project's": { by: { member: OTHER, project: "host/org/apple" }, over: {} },
  archived: { by: AT_WORK, over: {} },
} as const;
type Target = keyof typeof TARGETS;

/** What a way in gives away of a memory: here, or by its id wherever the reader may go. */
type Seen = "here" | "by id" | "in any state";

interface Row {
  readonly sees: Seen;
  /** Does the answer give the target away: its id, its words, or that it was acted upon. */
  shows(house: SqliteApp, target: number): Promise<boolean>;
}

const SEES: Readonly<Record<Seen, Readonly<Record<Target, boolean>>>> = {
  here: { "its own": true, "another member's": false, "another project's": false, archived: false },
  "by id": { "its own": true, "another member's": false, "another project's": true, archived: false },
  "in any state": { "its own": true, "another member's": false, "another project's": true, archived: true },
};

const MODEL = "Xenova/bge-m3";
const VECTOR = Array.from({ length: 1024 }, () => 0.5);
const BASE64 = Buffer.from(Float32Array.from(VECTOR).buffer).toString("base64");

const tool = (name: string, input: object) => (house: SqliteApp) => house.tool(name, input, AT_WORK);
const holds = async (answer: Promise<{ readonly [key: string]: unknown }>, list: string, target: number) =>
  ((await answer)[list] as readonly { id: number }[]).some(({ id }) => id === target);
const resource = async (house: SqliteApp, uri: string) =>
  (await house.get(`/api/resources?uri=${encodeURIComponent(uri)}`, AT_WORK)).body;

/** Every route and tool, and the way in that it is. */
const MATRIX: Readonly<Record<string, readonly Row[] | "shows no memory">> = {
  "GET /healthz": "shows no memory",
  "GET /readyz": "shows no memory",
  "GET /openapi.json": "shows no memory",
  "GET /docs": "shows no memory",
  "GET /docs/page.js": "shows no memory",
  "GET /capabilities": "shows no memory",
  "GET /diagnostics/db": "shows no memory",
  "GET /diagnostics/host": "shows no memory",
  "GET /metrics": "shows no memory",
  "GET /api/backups": "shows no memory",
  "POST /api/backups": "shows no memory",
  "GET /api/members": "shows no memory",
  "POST /api/members": "shows no memory",
  "DELETE /api/members/{name}": "shows no memory",
  "GET /api/tokens": "shows no memory",
  "POST /api/tokens": "shows no memory",
  "DELETE /api/tokens/{id}": "shows no memory",
  "GET /api/projects": "shows no memory",
  "POST /api/projects": "shows no memory",
  "POST /mcp": [
    {
      sees: "here",
      async shows(house, target) {
        const params = { name: "chest_recall", arguments: { query: "squirrel", mark_accessed: false } };
        const headers = { accept: "application/json, text/event-stream" };
        const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
        const { body } = await house.post("/mcp", message, { ...AT_WORK, headers });
        return body.result.structuredContent.memories.some(({ id }: { id: number }) => id === target);
      },
    },
    {
      sees: "by id",
      async shows(house, target) {
        const params = { uri: `memory://memory/${target}` };
        const headers = { accept: "application/json, text/event-stream" };
        const message = { jsonrpc: "2.0", id: 1, method: "resources/read", params };
        const { body } = await house.post("/mcp", message, { ...AT_WORK, headers });
        return JSON.stringify(body).includes("squirrel");
      },
    },
  ],
  "POST /api/tools/chest_remember": [
    {
      sees: "here",
      // The same words in the same place are recognised only where the writer may read them.
      async shows(house, target) {
        const { action, memory_id } = await tool("chest_remember", {
          ...{ entity_name: "hideout", entity_kind: "project", layer: "learning", content: "secret squirrel" },
          visibility: "private",
        })(house);
        return action === "duplicate" && memory_id === target;
      },
    },
  ],
  "POST /api/tools/chest_recall": [
    {
      sees: "here",
      shows: (house, target) => holds(tool("chest_recall", { query: "secret squirrel" })(house), "memories", target),
    },
    {
      sees: "here",
      shows: (house, target) => holds(tool("chest_recall", { entity_name: "hideout" })(house), "memories", target),
    },
    {
      sees: "by id",
      shows: (house, target) => holds(tool("chest_recall", { ids: [target] })(house), "memories", target),
    },
    {
      sees: "in any state",
      shows: (house, target) =>
        holds(
          tool("chest_recall", { query: "squirrel", project: "*", include_archived: true })(house),
          "memories",
          target,
        ),
    },
  ],
  "POST /api/tools/chest_update_memory": [
    {
      sees: "in any state",
      shows: async (house, target) =>
        (await tool("chest_update_memory", { memory_id: target, importance: 0.6 })(house)).ok === true,
    },
  ],
  "POST /api/tools/chest_list_entities": [
    {
      sees: "here",
      async shows(house) {
        const { entities } = await tool("chest_list_entities", { min_memories: 1 })(house);
        return entities.some(({ name }: { name: string }) => name === "hideout");
      },
    },
  ],
  "POST /api/tools/chest_forget": [
    {
      sees: "in any state",
      shows: async (house, target) =>
        (await tool("chest_forget", { memory_id: target, dry_run: true })(house)).ok === true,
    },
  ],
  "POST /api/tools/chest_consolidate": "shows no memory",
  "POST /api/tools/_snapshot_get": "shows no memory",
  "POST /api/tools/_snapshot_put": "shows no memory",
  "POST /api/tools/_snapshot_touch": "shows no memory",
  "GET /memories/pending": [
    {
      sees: "by id",
      shows: async (house, target) =>
        holds(
          house.get("/memories/pending?limit=200", AT_WORK).then(({ body }) => body),
          "items",
          target,
        ),
    },
  ],
  "POST /memories/pending/claim": [
    {
      sees: "by id",
      async shows(house, target) {
        house.advance(60_000);
        const { body } = await house.post("/memories/pending/claim", { claimant: "whoever-it-is" }, AT_WORK);
        return holds(body, "items", target);
      },
    },
  ],
  "POST /memories/pending/release": "shows no memory",
  "POST /memories/{id}/embedding": [
    {
      sees: "by id",
      async shows(house, target) {
        const payload = { embedding: VECTOR, model: MODEL, embedding_status: "ok" };
        return (await house.post(`/memories/${target}/embedding`, payload, AT_WORK)).status === 200;
      },
    },
    {
      sees: "by id",
      async shows(house, target) {
        const payload = { embedding: VECTOR, model: MODEL, embedding_status: "ok", content_sha1: "another" };
        const { body } = await house.post(`/memories/${target}/embedding`, payload, AT_WORK);
        return JSON.stringify(body).includes("squirrel");
      },
    },
  ],
  "POST /memories/embeddings": [
    {
      sees: "by id",
      async shows(house, target) {
        const items = [{ id: target, embedding_base64: BASE64, content_sha1: "another" }];
        const { body } = await house.post("/memories/embeddings", { model: MODEL, items }, AT_WORK);
        return JSON.stringify(body).includes("squirrel");
      },
    },
  ],
  "POST /api/hooks/recall": [
    {
      sees: "here",
      shows: async (house, target) =>
        holds(
          house.post("/api/hooks/recall", { query: "squirrel" }, AT_WORK).then(({ body }) => body),
          "memories",
          target,
        ),
    },
  ],
  "GET /api/resources": [
    {
      sees: "by id",
      shows: async (house, target) => (await resource(house, `memory://memory/${target}`)).id === target,
    },
    ...["memory://hot", "memory://layer/learning", "memory://entity/hideout"].map(
      (uri): Row => ({
        sees: "here",
        shows: async (house, target) =>
          ((await resource(house, uri)).memories ?? []).some(({ id }: { id: number }) => id === target),
      }),
    ),
    { sees: "here", shows: async (house) => (await resource(house, "memory://stats")).memory_count > 0 },
  ],
};

async function openWith({ by, over }: (typeof TARGETS)[Target], isArchived: boolean) {
  const house = await openSqliteApp({ CHEST_DOCS: "0" });
  const about = { entity_name: "hideout", entity_kind: "project", ...over };
  const target = await house.store("secret squirrel", about, by);
  if (isArchived) await house.tool("chest_forget", { memory_id: target }, by);
  return { house, target };
}

describe("the access matrix", () => {
  let house: SqliteApp;
  beforeAll(async () => {
    house = await openSqliteApp();
  });
  afterAll(() => house.close());

  it("has a row for every route, tools among them, and none for what is not there", async () => {
    const { paths } = (await house.app.inject("/openapi.json")).json();
    const routes = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    for (const { name } of TOOLS) expect(routes).toContain(`POST /api/tools/${name}`);
    expect(Object.keys(MATRIX).sort()).toEqual(routes.sort());
  });

  describe.each(Object.keys(TARGETS) as Target[])("what is %s", (kind) => {
    it.each(Object.entries(MATRIX).flatMap(([route, rows]) => (Array.isArray(rows) ? [[route, rows] as const] : [])))(
      "is seen as it should be through %s",
      async (_, rows: readonly Row[]) => {
        for (const [at, { sees, shows }] of rows.entries()) {
          const { house, target } = await openWith(TARGETS[kind], kind === "archived");
          expect(await shows(house, target).catch(() => false), `row ${at}, ${sees}`).toBe(SEES[sees][kind]);
          await house.close();
        }
      },
    );
  });
});
