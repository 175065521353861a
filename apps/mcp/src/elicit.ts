import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { Reply } from "./confirm.ts";

const TIMEOUT_MS = 5 * 60_000;

/** Puts one yes-or-no question to the human through the client, where it offers that. */
export async function elicitConfirm(
  server: Server,
  message: string,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<Reply> {
  if (!server.getClientCapabilities()?.elicitation) return "no_elicitation";
  try {
    const { action, content } = await server.elicitInput(
      {
        message,
        requestedSchema: {
          type: "object",
          properties: { confirm: { type: "boolean", title: "Yes, archive it", default: false } },
          required: ["confirm"],
        },
      },
      { timeout: timeoutMs, signal },
    );
    if (action === "cancel") return "cancelled";
    return action === "accept" && content?.confirm === true ? "accepted" : "declined";
  } catch (error) {
    if (error instanceof McpError) return error.code === ErrorCode.RequestTimeout ? "timeout" : "cancelled";
    throw error;
  }
}
