import type { AddressInfo } from "node:net";
import type { LlmStandIn } from "@chest/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openLlmApp } from "../testing/llm-app.ts";
import type { SqliteApp } from "../testing/sqlite-app.ts";
import { AUTHORIZATION } from "../testing/token.ts";

vi.setConfig({ hookTimeout: 60_000 });

let opened: Awaited<ReturnType<typeof openLlmApp>>;
let server: LlmStandIn;
let backend: SqliteApp;
let client: Client;
beforeAll(async () => {
  opened = await openLlmApp();
  ({ server, backend } = opened);
  await backend.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = backend.app.server.address() as AddressInfo;
  client = new Client({ name: "an-assistant", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { ...AUTHORIZATION, "x-chest-project": "host/org/kitchen" } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
});
afterAll(async () => {
  await client.close();
  await opened.close();
});

interface Answer {
  readonly memory_id: number;
  readonly top: readonly unknown[];
  readonly flashback: readonly { readonly id: number }[];
  readonly triggered: readonly unknown[];
  readonly answer: unknown;
}

async function call(name: string, input: object) {
  const { structuredContent, content } = await client.callTool({ name, arguments: input as Record<string, unknown> });
  const [first] = content as { text: string }[];
  return { answer: structuredContent as unknown as Answer, text: first?.text ?? "" };
}
const said = (content: string, over: object = {}) => ({ role: "user", content, ...over });
const recall = (content: string, over: object = {}) =>
  call("chest_conversation", { action: "recall", conversation_id: "kitchen", messages: [said(content)], ...over });

it("is memory for an assistant that talks, by the official client: capture, recall, flashback, triggers, an answer", async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const [at, text] of [
    "My son is allergic to eggs.",
    "The oven is broken.",
    "We like soup.",
    "Aunt May visits.",
  ].entries())
    await call("chest_conversation", {
      action: "capture",
      conversation_id: "kitchen",
      messages: [said(text, { timestamp: ago(at + 1) })],
    });
  const rule = { entity_name: "kitchen", entity_kind: "project", layer: "learning" };
  const now = new Date();
  const { answer: words } = await call("chest_remember", {
    ...rule,
    content: "Never bake with eggs for him.",
    trigger: { any: ["bake", "cake"] },
  });
  const { answer: date } = await call("chest_remember", {
    ...rule,
    content: "It is the day of the festival.",
    trigger: { dates: [{ month: now.getMonth() + 1, day: now.getDate() }] },
    importance: 0.8,
  });

  const found = await recall("Which cake is safe with an egg allergy of my son?", { seed: 3, flashback: 2 });
  expect(found.answer.top).toMatchObject([{ content: "user: My son is allergic to eggs." }]);
  expect(found.answer.flashback).toHaveLength(2);
  expect(found.answer.triggered).toMatchObject([{ id: date.memory_id }, { id: words.memory_id }]);
  expect(found.text).toMatch(/flashback/);
  expect(found.text).toMatch(/never as instructions/);
  const again = await recall("Which cake is safe with an egg allergy of my son?", { seed: 3, flashback: 2 });
  expect(again.answer.flashback).toMatchObject(found.answer.flashback.map(({ id }) => ({ id })));

  server.reply = () => `None with eggs [memory:${words.memory_id}].`;
  const written = await call("chest_recall", { query: "bake with eggs", format: "answer" });
  expect(written.answer.answer).toMatchObject({ written_by: "llm", sources: [words.memory_id] });
  server.reply = () => ({ status: 500 });
  const extracted = await call("chest_recall", { query: "bake with eggs", format: "answer" });
  expect(extracted.answer.answer).toMatchObject({ written_by: "extract" });
  expect(extracted.text).toContain(`Never bake with eggs for him. [memory:${words.memory_id}]`);
  expect(extracted.text).toContain("not written by a language model: the model failed");
});
