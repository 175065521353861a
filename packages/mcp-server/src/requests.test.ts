import { ChestError } from "@chest/contracts";
import { localResources } from "@chest/core/resources";
import { TOOLS } from "@chest/core/tools";
import { aCall, testExecutor } from "@chest/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { ClientRequest } from "@modelcontextprotocol/sdk/types.js";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { createMcpServer, type Surface } from "./server.ts";

async function connect(over: Partial<Surface> = {}) {
  const { executor } = await testExecutor();
  const server = createMcpServer({
    tools: TOOLS,
    executor,
    resources: localResources(executor),
    version: "1",
    instructions: "",
    callFor: ({ signal }) => aCall({ signal }),
    ...over,
  });
  const client = new Client({ name: "an-agent", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  /** Exactly as written, past the protocol's types. */
  const ask = (method: string, params?: unknown) =>
    client.request({ method, params } as unknown as ClientRequest, z.looseObject({}));
  const call = async (params: unknown) => {
    const { isError, content, structuredContent } = await ask("tools/call", params);
    return { isError, ...(structuredContent ?? JSON.parse((content as { text: string }[])[0]?.text ?? "")) };
  };
  return { ask, call };
}

it.each([
  ["a list", [1]],
  ["words", "x"],
  ["a number", 7],
  ["true", true],
])("answers arguments that are %s with our envelope", async (_, input) => {
  const { call } = await connect();

  expect(await call({ name: "chest_recall", arguments: input })).toMatchObject({
    isError: true,
    error: { code: "VALIDATION_ERROR", message: "the arguments are not a JSON object", hint: expect.any(String) },
  });
});

it("counts arguments that are null as none", async () => {
  const { call } = await connect();

  expect(await call({ name: "chest_list_entities", arguments: null })).toMatchObject({ ok: true, total: 0 });
});

it.each([
  ["tools/call", undefined, "`params` is not an object"],
  ["tools/call", { arguments: {} }, "`params.name` is not a string"],
  ["tools/call", { name: 5 }, "`params.name` is not a string"],
  [
    "prompts/get",
    { name: "entity-handoff", arguments: { entity_name: 5 } },
    "`params.arguments.entity_name` is not a string",
  ],
  ["prompts/get", { name: "entity-handoff", arguments: [1] }, "`params.arguments` is not an object"],
  ["resources/read", { uri: {} }, "`params.uri` is not a string"],
  ["completion/complete", { ref: { type: "nonsense" }, argument: 4 }, "`params.argument` is not an object"],
])("refuses %s with %j as −32602, in words of ours", async (method, params, fault) => {
  const { ask } = await connect();

  await expect(ask(method, params)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(`${method} needs other parameters: `),
  });
  await expect(ask(method, params)).rejects.toThrow(fault);
});

it.each(["zz", "1.5", "12345"])("refuses a week that is %j instead of taking it for this one", async (week_offset) => {
  const { ask } = await connect();
  const of = (input: string) =>
    ask("prompts/get", { name: "weekly-consolidation", arguments: { entity_name: "acme", week_offset: input } });

  await expect(of(week_offset)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining("week_offset"),
  });
  expect(JSON.stringify(await of(" 2 "))).toContain("2 weeks ago");
});

it("tells whoever runs it of a defect, and not of what the caller is to mend", async () => {
  const onDefect = vi.fn();
  const failing = (code: "INVALID_INPUT" | "UNAVAILABLE") => ({
    execute: () => Promise.reject(new ChestError(code, "not so", { cause: new Error("the library's words") })),
  });
  const refusing = await connect({ onDefect, executor: failing("INVALID_INPUT") });
  await refusing.call({ name: "chest_recall" });
  expect(onDefect).not.toHaveBeenCalled();

  const broken = await connect({ onDefect, executor: failing("UNAVAILABLE") });
  await broken.call({ name: "chest_recall" });
  expect(onDefect).toHaveBeenCalledOnce();
});

it("says its code once to clients of SDK 1.x, which write it before the text", async () => {
  const { ask } = await connect();

  await expect(ask("tools/call", { name: "nothing" })).rejects.toThrow(/^MCP error -32602: there is no tool/);
  await expect(ask("resources/read", { uri: "memory://nothing" })).rejects.toThrow(/^MCP error -32002: resource/);
});
