import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ElicitResultSchema, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { Confirmation } from "./confirm.ts";

const TIMEOUT_MS = 5 * 60_000;

export const YES_OR_NO = {
  type: "object" as const,
  properties: { confirm: { type: "boolean" as const, title: "Yes, archive it", default: false } },
  required: ["confirm"],
};

const UNANSWERED: ReadonlyMap<number, Confirmation> = new Map([
  [ErrorCode.RequestTimeout, "timeout"],
  [ErrorCode.MethodNotFound, "no_elicitation"],
]);

/** Puts one yes-or-no question to the human through the client, where it offers that, or has not said whether it does. */
export async function elicitConfirm(
  server: Server,
  message: string,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<Confirmation> {
  const capabilities = server.getClientCapabilities();
  if (capabilities && !capabilities.elicitation) return "no_elicitation";
  try {
    const params = { message, requestedSchema: YES_OR_NO };
    const question = { method: "elicitation/create" as const, params };
    const { action, content } = await server.request(question, ElicitResultSchema, { timeout: timeoutMs, signal });
    if (action === "cancel") return "cancelled";
    return action === "accept" && content?.confirm === true ? "accepted" : "declined";
  } catch (error) {
    if (error instanceof McpError) return UNANSWERED.get(error.code) ?? "cancelled";
    throw error;
  }
}
