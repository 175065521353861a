import { type ChestError, toEnvelope } from "@chest/contracts";
import { NOTICE } from "@chest/core/answers";
import type { AnyTool } from "@chest/core/tool";
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

/**
 * Error of a tool, as text alone: clients check structured content against the schema of success. The message names each
 * wrong argument already, so a model is not given the list of them besides.
 */
export function refused(error: ChestError): CallToolResult {
  const { ok, error: told } = toEnvelope(error);
  const { issues, ...details } = told.details ?? {};
  const { details: _, ...rest } = told;
  const shown = { ok, error: Object.keys(details).length === 0 ? rest : { ...rest, details } };
  return { isError: true, content: [{ type: "text", text: JSON.stringify(shown) }] };
}
