import { answer as langchain } from "@chest/examples/langchain";
import { answer as openaiAgents } from "@chest/examples/openai-agents";
import { answer as vercel } from "@chest/examples/vercel-ai-sdk";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { langchainModel, openaiModel, vercelModel } from "../support/clients/scripted-models.ts";

const QUESTION = "how do we deploy?";

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
  const fact = {
    entity_name: "acme-api",
    entity_kind: "project",
    layer: "learning",
    content: "deploys go through the blue queue",
  };
  const answer = await fetch(`${backend.url}/api/tools/chest_remember`, {
    method: "POST",
    headers: { authorization: `Bearer ${backend.token}`, "content-type": "application/json" },
    body: JSON.stringify(fact),
  });
  expect(answer.status).toBe(200);
}, 60_000);
afterAll(() => backend.stop());

const url = () => new URL(`${backend.url}/mcp`);
const requestInit = () => ({ headers: { authorization: `Bearer ${backend.token}` } });
const RECALL = { name: "chest_recall", arguments: { query: "blue queue" } };

describe("a library that connects by token", () => {
  it("is the official TypeScript SDK 1.x", async () => {
    const client = new OlderClient({ name: "older", version: "1" });
    await client.connect(new OlderTransport(url(), { requestInit: requestInit() }) as never);
    expect(JSON.stringify(await client.callTool(RECALL))).toContain("deploys go through the blue queue");
    await client.close();
  });

  it.each(["2026-07-28", "2025-11-25"])("is the official TypeScript SDK 2.x, by %s", async (version) => {
    const mode = version === "2026-07-28" ? "auto" : "legacy";
    const client = new Client({ name: "newer", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url(), { requestInit: requestInit() }));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(JSON.stringify(await client.callTool(RECALL))).toContain("deploys go through the blue queue");
    await client.close();
  });

  // A scripted model calls recall once and repeats the result, so the answer comes from the backend.
  it("is the Vercel AI SDK", async () => {
    expect(await vercel(vercelModel(), backend, QUESTION)).toContain("deploys go through the blue queue");
  });

  it("is LangChain", async () => {
    expect(await langchain(langchainModel(), backend, QUESTION)).toContain("deploys go through the blue queue");
  });

  it("is OpenAI Agents", async () => {
    expect(await openaiAgents(openaiModel(), backend, QUESTION)).toContain("deploys go through the blue queue");
  });
});
