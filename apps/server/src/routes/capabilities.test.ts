import { capabilities } from "@chest/contracts";
import { BUILTIN_IDENTITY, KNOWN_IDENTITIES, TABLE_IDENTITY } from "@chest/core/embedding";
import { expect, it } from "vitest";
import { openApp } from "../testing/app.ts";
import { openSqliteApp } from "../testing/sqlite-app.ts";
import { AUTHORIZATION } from "../testing/token.ts";

const [bge, ...others] = KNOWN_IDENTITIES;

it("says what this backend speaks and offers, and no more", async () => {
  const { app } = await openApp({ CHEST_MAX_CONTENT_CHARS: "5000" });
  const answer = (await app.inject({ url: "/capabilities", headers: AUTHORIZATION })).json();

  expect(capabilities.parse(answer)).toEqual({
    api_version: "1.6.0",
    min_required_client_version: "1.5.0",
    server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    server_has_embedder: false,
    server_time: expect.stringMatching(/Z$/),
    features: [
      "client-embed",
      "pending-resync",
      "memories-pending-list",
      "memories-embedding-update",
      "embedding-batch",
      "pending-claim",
      "query-embedding",
      "recall-explain",
      "git-state",
      "sources",
      "idempotency",
      "session-sync-lines",
      "session-sync-options",
      "hooks",
      "resources",
      "mcp-http",
    ],
    embedding: { ready: false, active: bge, accepted: [bge, BUILTIN_IDENTITY, TABLE_IDENTITY, ...others] },
    caller: { member: "shared", token_expires_at: null },
    limits: { content_chars: 5000, tool_body_bytes: 1_048_576 },
  });
});

it("names the model that the operator chose first, and counts the memories that wait for it", async () => {
  const { get, store, close } = await openSqliteApp({ CHEST_EMBED_MODEL: "local" });
  await store("waits");
  const { embedding } = (await get("/capabilities")).body;
  const { remaining } = (await get("/memories/pending")).body;
  await close();

  expect(embedding.active).toMatchObject({ model: "Xenova/multilingual-e5-small", dimensions: 384, pooling: "mean" });
  expect(embedding.accepted[0]).toEqual(embedding.active);
  expect(embedding.accepted.map(({ model }: { model: string }) => model)).toContain("Xenova/bge-m3");
  expect(remaining).toBe(1);
});

it("uses kebab-case names for its features, 1.5's first, and names no model where there is none", async () => {
  const { app } = await openApp();
  const { features, server_has_embedder } = (await app.inject({ url: "/capabilities", headers: AUTHORIZATION })).json();

  for (const feature of features) expect(feature).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(features.slice(0, 4)).toEqual([
    "client-embed",
    "pending-resync",
    "memories-pending-list",
    "memories-embedding-update",
  ]);
  expect(server_has_embedder).toBe(false);
});
