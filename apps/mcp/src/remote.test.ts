import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BackendOptions } from "@chest/client";
import { hang, startFakeBackend } from "@chest/client/testing";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { createMcpServer } from "@chest/mcp-server";
import { identityOf } from "@chest/models";
import { FIXTURE_EMBEDDER, FIXTURE_ENV, fixtureModels } from "@chest/models/testing";
import type { Env } from "@chest/runtime";
import { aCall } from "@chest/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "./config.ts";
import { openLog } from "./log.ts";
import { openRemote } from "./remote.ts";

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const TEXT = { text_for_embedding: "the words", content_sha1: "0".repeat(40) };

/** The official client over the tools and resources of a backend that is not here. */
async function connect({
  env = {},
  capabilities,
  over = {},
}: {
  env?: Env;
  capabilities?: Record<string, unknown>;
  over?: Partial<Pick<BackendOptions, "presence">> & { readonly timeoutMs?: number } & { readonly hasOutbox?: boolean };
} = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "chest-remote-"));
  const backend = await startFakeBackend({
    capabilities,
    answer: (tool) => {
      if (tool === "chest_recall") return { ok: true, memories: [], count: 0 };
      return { ok: true, memory_id: 4, embedding: { status: "pending", ...TEXT } };
    },
    other: ({ path }) =>
      path === "/memories/4/embedding"
        ? { status: 200, body: { id: 4, embedding_status: "ok", embedding_model: "m", updated_at: "" } }
        : undefined,
    resource: (uri) =>
      uri === "memory://hot?limit=2" ? { _notice: "data", count: 0, total: 0, memories: [] } : undefined,
  });
  const where = {
    mode: "remote",
    url: backend.url,
    token: "t".repeat(32),
    tokenFrom: "CHEST_API_TOKEN",
    ca: undefined,
    proxy: {},
  } as const;
  const place = openRemote(
    {
      ...where,
      proxy: { https: undefined, http: undefined, except: undefined },
      timeoutMs: 2000,
      hasOutbox: false,
      ...over,
    },
    {
      dataDir,
      embedding: readConfig(env).embedding,
      limits: DEFAULT_LIMITS,
      log: openLog("silent"),
      stated: () => ({ name: "x", version: "1", wire: "1.6.0" }),
    },
  );
  endings.push(
    () => rmSync(dataDir, { recursive: true, force: true }),
    () => place.close(),
    () => place.interrupt(),
  );
  const server = createMcpServer({
    tools: TOOLS,
    executor: place.executor,
    resources: place.resources,
    version: "1",
    instructions: "",
    callFor: ({ signal }) => aCall({ signal }),
  });
  const client = new Client({ name: "an-agent", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  return { client, backend };
}

it("reads resources through the backend, page by page, and passes its refusals on", async () => {
  const { client, backend } = await connect();
  const { contents } = await client.readResource({ uri: "memory://hot?limit=2" });
  expect(JSON.parse(String(contents[0] && "text" in contents[0] && contents[0].text))).toMatchObject({ total: 0 });
  expect(backend.requests.at(-1)?.path).toBe("/api/resources?uri=memory%3A%2F%2Fhot%3Flimit%3D2");
  await expect(client.readResource({ uri: "memory://memory/9" })).rejects.toMatchObject({
    code: -32002,
    data: { error: { code: "NOT_FOUND" } },
  });
  await backend.stop();
  await expect(client.readResource({ uri: "memory://hot" })).rejects.toMatchObject({
    data: { error: { code: "BACKEND_UNREACHABLE", hint: expect.any(String) } },
  });
});

it("keeps writes while the backend hangs, without waiting for it at every call, and delivers them when it answers", async () => {
  const presence = { silenceMs: 40, probeMs: 200, againMs: 50 };
  const { client, backend } = await connect({ over: { presence, timeoutMs: 600_000, hasOutbox: true } });
  const remember = async (content: string) =>
    (
      await client.callTool({
        name: "chest_remember",
        arguments: { entity_name: "acme", entity_kind: "project", layer: "learning", content },
      })
    ).structuredContent;
  await remember("written before");
  backend.meetAlways(hang);
  expect(await remember("the first while it hangs")).toMatchObject({ queued: true });
  const sent = backend.calls.length;
  for (const nth of [1, 2, 3]) expect(await remember(`another ${nth}`)).toMatchObject({ queued: true });
  expect(backend.calls).toHaveLength(sent);

  backend.meetAlways(undefined);
  await vi.waitFor(async () => expect(await remember("written afterwards")).not.toHaveProperty("queued"), {
    timeout: 20_000,
  });
  const bodies = backend.calls.slice(sent).map(({ body }) => JSON.parse(body).content);
  expect(bodies).toEqual(expect.arrayContaining(["the first while it hangs", "another 1", "another 2", "another 3"]));
  await backend.stop();
}, 60_000);

it("takes the words to embed off what the agent sees", async () => {
  const { client, backend } = await connect();
  const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "the words" };
  const { structuredContent } = await client.callTool({ name: "chest_remember", arguments: fact });
  expect(structuredContent).toEqual({ ok: true, memory_id: 4, embedding: { status: "pending" } });
  await backend.stop();
});

describe("with a model of this machine", { timeout: 30_000 }, () => {
  const IDENTITY = identityOf(FIXTURE_EMBEDDER);
  const FACT = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "the words" };

  /** Sends a write and a question to a backend with or without a model of its own, and returns what each brought. */
  async function embedded(choice: string, server_has_embedder: boolean) {
    const { client, backend } = await connect({
      env: { CHEST_CLIENT_EMBED: choice, ...FIXTURE_ENV, CHEST_MODELS_DIR: await fixtureModels() },
      capabilities: {
        server_has_embedder,
        features: ["idempotency", "query-embedding"],
        embedding: { ready: server_has_embedder, active: IDENTITY, accepted: [IDENTITY] },
      },
    });
    await client.callTool({ name: "chest_remember", arguments: FACT });
    const vectors = () => backend.requests.filter(({ path }) => path === "/memories/4/embedding");
    const asked = async () => {
      await client.callTool({ name: "chest_recall", arguments: { query: "which words" } });
      return JSON.parse(backend.calls.at(-1)?.body ?? "{}").query_embedding;
    };
    return { vectors, asked };
  }

  it.each([
    ["true", true],
    ["true", false],
    ["auto", false],
  ])("embeds what is written and asked: CHEST_CLIENT_EMBED=%s, the backend has a model: %s", async (choice, has) => {
    const { vectors, asked } = await embedded(choice, has);
    await vi.waitFor(() => expect(vectors()).toHaveLength(1), { timeout: 20_000 });
    expect(JSON.parse(vectors()[0]?.body ?? "{}")).toMatchObject({
      model: IDENTITY.model,
      content_sha1: TEXT.content_sha1,
    });
    await vi.waitFor(async () => expect(await asked()).toBeDefined(), { timeout: 20_000 });
  });

  it.each([
    ["false", false],
    ["false", true],
    ["auto", true],
  ])("embeds nothing: CHEST_CLIENT_EMBED=%s, the backend has a model: %s", async (choice, has) => {
    const { vectors, asked } = await embedded(choice, has);
    // As often as would do where it embeds.
    for (let time = 0; time < 10; time++) expect(await asked()).toBeUndefined();
    expect(vectors()).toEqual([]);
  });
});
