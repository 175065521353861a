import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  type CallToolResult,
  CompleteRequestSchema,
  type ElicitRequestFormParams,
  ResultSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const PAUSE_MS = 50;

const text = (words: string) => ({ type: "text" as const, text: words });
const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: words },
});
const fromUser = (...contents: (ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>)[]) => ({
  messages: contents.map((content) => ({ role: "user" as const, content })),
});

/** Server with the features that the MCP conformance suite expects, under the names it uses. */
export function conformanceFixtures(): Server {
  const mcp = new McpServer(
    { name: "conformance-fixtures", version: "1.0.0" },
    { capabilities: { logging: {}, completions: {}, resources: { subscribe: true } } },
  );
  addPlainTools(mcp);
  addTalkingTools(mcp);
  addResources(mcp);
  addPrompts(mcp);
  mcp.server.setRequestHandler(SetLevelRequestSchema, () => ({}));
  mcp.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  mcp.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  mcp.server.setRequestHandler(CompleteRequestSchema, () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return mcp.server;
}

function addPlainTools(mcp: McpServer): void {
  const contents: Record<string, CallToolResult["content"]> = {
    test_simple_text: [text("This is a simple text response for testing.")],
    test_image_content: [image],
    test_audio_content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }],
    test_embedded_resource: [
      embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
    ],
    test_multiple_content_types: [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  };
  for (const [name, content] of Object.entries(contents)) {
    mcp.registerTool(name, { description: `Returns ${name}` }, () => ({ content }));
  }
  mcp.registerTool("test_error_handling", { description: "Always fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

/** Tools that notify or ask the client before they answer. */
function addTalkingTools(mcp: McpServer): void {
  mcp.registerTool("test_tool_with_logging", { description: "Logs while it runs" }, async ({ sendNotification }) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await sendNotification({ method: "notifications/message", params: { level: "info", data } });
      await sleep(PAUSE_MS);
    }
    return { content: [text("done")] };
  });
  mcp.registerTool("test_tool_with_progress", { description: "Says how far it is" }, async (extra) => {
    const progressToken = extra._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      await extra.sendNotification({ method: "notifications/progress", params });
      await sleep(PAUSE_MS);
    }
    return { content: [text("done")] };
  });
  const takesPrompt = { description: "Asks a model", inputSchema: { prompt: z.string() } };
  mcp.registerTool("test_sampling", takesPrompt, ({ prompt }, { sendRequest }) => {
    const params = { messages: [{ role: "user" as const, content: text(prompt) }], maxTokens: 100 };
    return jsonResult(sendRequest({ method: "sampling/createMessage", params }, ...ANY));
  });
  for (const [name, properties] of Object.entries(FORMS)) {
    mcp.registerTool(name, { description: "Asks the user" }, ({ sendRequest }) => {
      const requestedSchema = { type: "object" as const, properties };
      return jsonResult(
        sendRequest({ method: "elicitation/create", params: { message: "?", requestedSchema } }, ...ANY),
      );
    });
  }
}

const titled = (...consts: readonly string[]) => consts.map((value) => ({ const: value, title: `The ${value}` }));

/** Forms shown to the user: plain fields, fields with defaults, and every kind of choice in the protocol. */
const FORMS: Readonly<Record<string, ElicitRequestFormParams["requestedSchema"]["properties"]>> = {
  test_elicitation: { name: { type: "string" } },
  test_elicitation_sep1034_defaults: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled("value1", "value2", "value3") },
    legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled("value1", "value2", "value3") } },
  },
};

const ANY = [ResultSchema, { timeout: 1000 }] as const;
const jsonResult = async (answer: Promise<unknown>) => ({ content: [text(JSON.stringify(await answer))] });

function addResources(mcp: McpServer): void {
  const described = (mimeType: string) => ({ description: "A fixture", mimeType });
  mcp.registerResource("static-text", "test://static-text", described("text/plain"), ({ href: uri }) => ({
    contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  mcp.registerResource("static-binary", "test://static-binary", described("image/png"), ({ href: uri }) => ({
    contents: [{ uri, mimeType: "image/png", blob: PIXEL }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  mcp.registerResource("template", template, described("application/json"), ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
}

function addPrompts(mcp: McpServer): void {
  mcp.registerPrompt("test_simple_prompt", { description: "A fixture" }, () =>
    fromUser(text("This is a simple prompt for testing.")),
  );
  mcp.registerPrompt(
    "test_prompt_with_arguments",
    { description: "A fixture", argsSchema: { arg1: z.string(), arg2: z.string() } },
    ({ arg1, arg2 }) => fromUser(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  mcp.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A fixture", argsSchema: { resourceUri: z.string() } },
    ({ resourceUri }) =>
      fromUser(
        embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
        text("Please process the embedded resource above."),
      ),
  );
  mcp.registerPrompt("test_prompt_with_image", { description: "A fixture" }, () =>
    fromUser(image, text("Please analyze the image above.")),
  );
}
