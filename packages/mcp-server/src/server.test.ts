import { ChestError } from "@chest/contracts";
import type { Call, Executor } from "@chest/core/executor";
import { localResources } from "@chest/core/resources";
import { TOOLS } from "@chest/core/tools";
import { aCall, testExecutor } from "@chest/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type CallToolResult, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it, vi } from "vitest";
import { INSTRUCTIONS } from "./instructions.ts";
import { createMcpServer, type Surface } from "./server.ts";

const A_FACT = {
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  content: "deploys go through the blue cluster since the autumn outage",
};

async function connect(over: Partial<Surface> = {}) {
  const { executor } = await testExecutor();
  const server = createMcpServer({
    tools: TOOLS,
    executor,
    resources: localResources(executor),
    callFor: ({ signal }) => aCall({ signal }),
    version: "1.2.3",
    instructions: INSTRUCTIONS,
    ...over,
  });
  const client = new Client({ name: "an-agent", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  const call = async (name: string, args?: Record<string, unknown>) =>
    (await client.callTool({ name, ...(args ? { arguments: args } : {}) })) as CallToolResult;
  return { client, call };
}

const failing = (error: unknown): Executor => ({ execute: () => Promise.reject(error) });

const textOf = ({ content }: CallToolResult): string => {
  const [item] = content;
  return item?.type === "text" ? item.text : "";
};

it("says who it is and how it is used", async () => {
  const { client } = await connect();

  expect(client.getServerVersion()).toMatchObject({ name: "chest-memory", version: "1.2.3" });
  expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
  expect(client.getInstructions()).toBe(INSTRUCTIONS);
});

it("has instructions of at most 2 kB", () => {
  expect(Buffer.byteLength(INSTRUCTIONS)).toBeLessThanOrEqual(2000);
});

it("remembers and recalls, with answers that the official client finds valid", async () => {
  const { client, call } = await connect();
  await client.listTools(); // From here on the client checks every answer against its schema.

  const stored = await call("chest_remember", A_FACT);
  const found = await call("chest_recall", { query: "autumn outage" });
  const listed = await call("chest_list_entities");
  const updated = await call("chest_update_memory", {
    memory_id: stored.structuredContent?.memory_id,
    importance: 0.7,
  });
  const forgotten = await call("chest_forget", { memory_id: stored.structuredContent?.memory_id });

  expect(stored.structuredContent).toMatchObject({ ok: true, layer: "learning" });
  expect(found.structuredContent).toMatchObject({ count: 1, memories: [{ content: A_FACT.content }] });
  expect(listed.structuredContent).toMatchObject({ total: 1 });
  expect(updated.structuredContent).toMatchObject({ updated_fields: ["importance", "protected"] });
  expect(forgotten.structuredContent).toMatchObject({ archived: 1 });
});

it("answers a schema violation with our envelope and no structured content", async () => {
  const { call } = await connect();
  const answer = await call("chest_remember", { ...A_FACT, importance: "huge", colour: "blue" });

  expect(answer.isError).toBe(true);
  expect(answer).not.toHaveProperty("structuredContent");
  expect(answer.content).toHaveLength(1);
  // Each problem is reported once: no second list repeats the messages.
  expect(JSON.parse(textOf(answer))).toEqual({
    ok: false,
    error: {
      code: "VALIDATION_ERROR",
      message: "importance: is not a number",
      hint: "correct the named arguments and call again",
    },
  });
});

it("counts missing arguments as none", async () => {
  const { call } = await connect();

  expect(JSON.parse(textOf(await call("chest_recall")))).toMatchObject({ error: { code: "INVALID_INPUT" } });
  expect((await call("chest_list_entities")).structuredContent).toMatchObject({ ok: true });
});

it("answers an unknown tool with a protocol error", async () => {
  const { call } = await connect();

  await expect(call("chest_nothing")).rejects.toMatchObject({ code: -32602 });
});

it("answers a tool that only the backend does not know with a protocol error too", async () => {
  const { call } = await connect({ executor: failing(new ChestError("UNKNOWN_TOOL", "there is no tool")) });

  await expect(call("chest_recall", { query: "x" })).rejects.toMatchObject({ code: -32602 });
});

it("shows a refusal with its hint and details", async () => {
  const refusal = new ChestError("PROTECTED", "memory 4 is protected", { hint: "unpin it", details: { memory_id: 4 } });
  const { call } = await connect({ executor: failing(refusal) });

  expect(textOf(await call("chest_forget", { memory_id: 4 }))).toMatchInlineSnapshot(
    `"{"ok":false,"error":{"code":"PROTECTED","message":"memory 4 is protected","hint":"unpin it","details":{"memory_id":4}}}"`,
  );
});

it("never shows the words of an unknown failure, but tells whoever runs it", async () => {
  const onDefect = vi.fn();
  const failure = new Error("SQLITE_CORRUPT near 'the stored text'");
  const { call } = await connect({ executor: failing(failure), onDefect });
  const answer = await call("chest_recall", { query: "x" });

  expect(answer.isError).toBe(true);
  expect(textOf(answer)).not.toContain("SQLITE");
  expect(JSON.parse(textOf(answer))).toMatchObject({
    error: { code: "INTERNAL_ERROR", details: { request_id: "test" } },
  });
  expect(onDefect).toHaveBeenCalledWith(failure, expect.objectContaining({ requestId: "test" }));
});

it("passes a cancellation on as an aborted signal", async () => {
  const started = Promise.withResolvers<Call>();
  const never: Executor = {
    execute: (_name, _input, call) => {
      started.resolve(call);
      return new Promise(() => {});
    },
  };
  const { client } = await connect({ executor: never });
  const cancel = new AbortController();
  const asked = client.callTool({ name: "chest_recall", arguments: { query: "x" } }, CallToolResultSchema, {
    signal: cancel.signal,
  });
  const call = await started.promise;
  cancel.abort("enough");

  await expect(asked).rejects.toThrow("enough");
  await vi.waitFor(() => expect(call.signal.aborted).toBe(true));
});
