import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CreateMessageResultSchema, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { ModelQuestion, SamplingOutcome } from "./worded-summaries.ts";

const TEMPERATURE = 0.2;

/** Puts one question to the model of the client, where it offers that. */
export async function sampleText(
  server: Server,
  { system, text, maxTokens }: ModelQuestion,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<SamplingOutcome> {
  if (!server.getClientCapabilities()?.sampling) return { told: "nothing", why: "no_sampling" };
  const params = {
    systemPrompt: system,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
    maxTokens,
    temperature: TEMPERATURE,
    includeContext: "none" as const,
  };
  const question = { method: "sampling/createMessage" as const, params };
  try {
    const options = { signal, timeout: Math.max(1, timeoutMs) };
    const { content, stopReason } = await server.request(question, CreateMessageResultSchema, options);
    if (stopReason === "maxTokens") return { told: "nothing", why: "cut" };
    return content.type === "text" ? { told: "text", text: content.text } : { told: "nothing", why: "no_text" };
  } catch (error) {
    if (signal.aborted) return { told: "nothing", why: "cancelled" };
    if (!(error instanceof McpError)) return { told: "nothing", why: "no_text" };
    return { told: "nothing", why: WHY.get(error.code) ?? "refused" };
  }
}

const WHY: ReadonlyMap<number, "late" | "no_sampling"> = new Map([
  [ErrorCode.RequestTimeout, "late"],
  [ErrorCode.MethodNotFound, "no_sampling"],
]);
