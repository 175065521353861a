import { type ChestError, toEnvelope } from "@chest/contracts";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** What a tool gave: the object, and the same JSON for those who read text only. */
export function answered(result: Record<string, unknown>): CallToolResult {
  return { structuredContent: result, content: [{ type: "text", text: JSON.stringify(result) }] };
}

/** What stopped a tool. Text alone: clients check structured content against the schema of success. */
export function refused(error: ChestError): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(toEnvelope(error)) }] };
}
