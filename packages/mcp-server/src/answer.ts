import { type ChestError, toEnvelope } from "@chest/contracts";
import type { AnyTool } from "@chest/core";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** Answer of a tool: the object for programs, and a text for the agent. */
export function answered(tool: Pick<AnyTool, "text">, result: Record<string, unknown>): CallToolResult {
  return { structuredContent: result, content: [{ type: "text", text: tool.text(result) }] };
}

/** Error of a tool, as text alone: clients check structured content against the schema of success. */
export function refused(error: ChestError): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(toEnvelope(error)) }] };
}
