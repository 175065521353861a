import { type ChestError, toEnvelope } from "@chest/contracts";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** Result of a tool: the object, and the same JSON for clients that read text only. */
export function answered(result: Record<string, unknown>): CallToolResult {
  return { structuredContent: result, content: [{ type: "text", text: JSON.stringify(result) }] };
}

/** Error of a tool, as text alone: clients check structured content against the schema of success. */
export function refused(error: ChestError): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(toEnvelope(error)) }] };
}
