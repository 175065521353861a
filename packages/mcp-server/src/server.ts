import { ChestError, internalError, toEnvelope } from "@chest/contracts";
import { NOTICE } from "@chest/core/answers";
import { normalizeArguments } from "@chest/core/arguments";
import type { Call, Executor } from "@chest/core/executor";
import type { ResourceReader } from "@chest/core/resources";
import { type AnyTool, isObject, notAnObject } from "@chest/core/tool";
import type { ToolSet } from "@chest/core/tools";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { drawsViews, withChatView } from "./chat-view.ts";
import { addCompletions } from "./completions.ts";
import { InputNeeded } from "./confirm.ts";
import { listTools } from "./listing.ts";
import { addPrompts } from "./prompts.ts";
import { type Answering, type Extra, invalidParams, onRequest, type RpcError } from "./requests.ts";
import { addResources } from "./resources.ts";
import { zodValidator } from "./validator.ts";

export interface Surface {
  readonly tools: readonly AnyTool[];
  /** Tools that are listed; all by default. */
  readonly toolSet?: ToolSet | undefined;
  readonly executor: Executor;
  readonly resources: ResourceReader;
  /** Finds the document that a host may draw in a chat; undefined where it is not built. */
  chatView?(): string | undefined;
  /** Whether the client draws it, where it said so in an earlier request; by default as it says to this server. */
  readonly drawsViews?: boolean | undefined;
  /** Builds the call of the current user; `extra` carries the signal that a cancellation aborts. */
  callFor(extra: Extra): Call;
  readonly version: string;
  readonly instructions: string;
  /** Reports what an agent is not told: the cause behind an `INTERNAL_ERROR` or a database that does not answer. */
  onDefect?(error: unknown, call: Call): void;
}

export const SERVER_NAME = "chest-memory";

export const CAPABILITIES = { tools: {}, prompts: {}, resources: {}, completions: {} };

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="6" width="26" height="20" rx="4" fill="#4f5bd5"/><path d="M3 14h26" stroke="#fff" stroke-width="2"/><rect x="13" y="11" width="6" height="7" rx="1.5" fill="#fff"/></svg>`;

/** Names the server to a client, with a picture for its list of servers. */
export const implementation = (version: string) => ({
  name: SERVER_NAME,
  title: "Chest",
  version,
  icons: [{ src: `data:image/svg+xml,${encodeURIComponent(ICON)}`, mimeType: "image/svg+xml", sizes: ["any"] }],
});

/** The catalogue as an MCP server with a handshake, over any executor; cheap enough to make one for each request. */
export function createMcpServer(surface: Surface): Server {
  const server = new Server(implementation(surface.version), {
    capabilities: CAPABILITIES,
    instructions: surface.instructions,
    jsonSchemaValidator: zodValidator,
  });
  answerFor(surface, {
    // Past the SDK's `Server`, which reads a tool call by a schema of its own first.
    answer: (method, answer) =>
      Protocol.prototype.setRequestHandler.call(server, z.looseObject({ method: z.literal(method) }), answer),
    drawsViews: () => surface.drawsViews ?? drawsViews(server.getClientCapabilities()),
  });
  return server;
}

/** Answers for everything in the catalogue, in either protocol. */
export function answerFor(surface: Surface, server: Answering): void {
  const { tools, executor, resources, callFor, onDefect } = surface;
  onRequest(server, ListToolsRequestSchema, () => {
    const listed = listTools(tools, surface.toolSet);
    return { tools: server.drawsViews() && surface.chatView?.() ? withChatView(listed) : listed };
  });

  onRequest(server, toolCall, async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw unknownTool(params.name, tools);
    const given = params.arguments ?? {};
    if (!isObject(given)) return refused(notAnObject());
    // Read here, once: what stands between this and the tool looks at some of them.
    const input = normalizeArguments(tool.input, given, tool.overMcp);
    const call = callFor(extra);
    try {
      return answered(tool, await executor.execute(tool.name, input, call));
    } catch (error) {
      if (error instanceof InputNeeded) throw error;
      if (!(error instanceof ChestError)) {
        onDefect?.(error, call);
        return refused(internalError(call.requestId, error));
      }
      if (error.code === "UNKNOWN_TOOL") throw unknownTool(params.name, tools);
      // Refusals below 500 are the caller's to mend, even with a cause.
      if (error.cause !== undefined && error.status >= 500) onDefect?.(error.cause, call);
      return refused(error);
    }
  });

  addPrompts(server);
  addResources(server, resources, surface);
  addCompletions(server, surface);
}

/** Accepts any arguments: the tool's own schema reports errors in our envelope. */
const toolCall = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});

const unknownTool = (name: string, tools: readonly AnyTool[]): RpcError =>
  invalidParams(
    `there is no tool \`${name.slice(0, 100)}\` here; there are ${tools.map((tool) => tool.name).join(", ")}`,
  );

/**
 * The answer of a tool: an object, and the same as a text. Claude Code and Codex show their model the object alone, so it
 * has the text's notice, too.
 */
function answered(tool: Pick<AnyTool, "text">, result: Record<string, unknown>): CallToolResult {
  const text = tool.text(result);
  const notice = text.includes(NOTICE) ? { _notice: NOTICE } : {};
  return { structuredContent: { ...notice, ...result }, content: [{ type: "text", text }] };
}

/**
 * Error of a tool, as text alone: clients check structured content against the schema of success. The message names each
 * wrong argument already, so a model is not given the list of them besides.
 */
function refused(error: ChestError): CallToolResult {
  const { ok, error: told } = toEnvelope(error);
  const { issues, ...details } = told.details ?? {};
  const { details: _, ...rest } = told;
  const shown = { ok, error: Object.keys(details).length === 0 ? rest : { ...rest, details } };
  return { isError: true, content: [{ type: "text", text: JSON.stringify(shown) }] };
}
