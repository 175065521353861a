import { ChestError, internalError, toEnvelope } from "@chest/contracts";
import type { Call } from "@chest/core/executor";
import { RESOURCE_TEMPLATES, RESOURCE_TYPE, RESOURCES, type ResourceReader } from "@chest/core/resources";
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { CHAT_VIEW_RESOURCE, isChatView, readChatView } from "./chat-view.ts";
import { type Answering, onRequest, RpcError } from "./requests.ts";
import type { Surface } from "./server.ts";

const mimeType = RESOURCE_TYPE;
const RESOURCE_NOT_FOUND = -32002;

/** Registers the stored resources by address, for the same caller as the tools. */
export function addResources(
  server: Answering,
  resources: ResourceReader,
  { callFor, onDefect, chatView = () => undefined }: Pick<Surface, "callFor" | "onDefect" | "chatView">,
): void {
  onRequest(server, ListResourcesRequestSchema, () => ({
    resources: [
      ...RESOURCES.map((resource) => ({ ...resource, mimeType })),
      ...(server.drawsViews() && chatView() ? [CHAT_VIEW_RESOURCE] : []),
    ],
  }));
  onRequest(server, ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: RESOURCE_TEMPLATES.map((template) => ({ ...template, mimeType })),
  }));
  onRequest(server, ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    const drawn = isChatView(uri) ? chatView() : undefined;
    if (drawn) return readChatView(drawn);
    const call = callFor(extra);
    try {
      return { contents: [{ uri, mimeType, text: JSON.stringify(await resources.read(uri, call)) }] };
    } catch (error) {
      throw refusal(uri, error, call, onDefect);
    }
  });
}

/** A failure as JSON-RPC has it, with our envelope and the address beside it. */
function refusal(uri: string, error: unknown, call: Call, onDefect: Surface["onDefect"]): RpcError {
  const known = error instanceof ChestError ? error : internalError(call.requestId, error);
  if (known.cause !== undefined) onDefect?.(known.cause, call);
  return new RpcError(codeOf(known), known.message, { ...toEnvelope(known), uri });
}

function codeOf({ code, status }: ChestError): number {
  if (code === "NOT_FOUND") return RESOURCE_NOT_FOUND;
  return status === 400 ? ErrorCode.InvalidParams : ErrorCode.InternalError;
}
