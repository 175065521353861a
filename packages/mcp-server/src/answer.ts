import { type ChestError, toEnvelope } from "@chest/contracts";
import { type AnyTool, NOTICE } from "@chest/core";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/**
 * The answer of a tool: an object, and the same as a text. Claude Code and Codex show their model the object alone, so it
 * has the text's notice, too.
 */
export function answered(tool: Pick<AnyTool, "text">, result: Record<string, unknown>): CallToolResult {
  const text = tool.text(result);
  const notice = text.includes(NOTICE) ? { _notice: NOTICE } : {};
  return { structuredContent: { ...notice, ...result }, content: [{ type: "text", text }] };
}

/** Error of a tool, as text alone: clients check structured content against the schema of success. */
export function refused(error: ChestError): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(toEnvelope(error)) }] };
}
