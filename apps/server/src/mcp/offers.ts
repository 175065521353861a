import { randomUUID } from "node:crypto";
import { drawsViews } from "@chest/mcp-server";
import { InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const QUESTIONS = "elicitation";
const VIEWS = "views";

/**
 * A client states its abilities once, at `initialize`, and the server keeps no state of it: they come back with each of its
 * requests in the id of a session that is nothing else.
 * @returns undefined for a client without any that matters here, and for every other message.
 */
export function sessionIdFor(message: unknown): string | undefined {
  if ((message as { method?: unknown }).method !== "initialize") return undefined;
  const capabilities = InitializeRequestSchema.safeParse(message).data?.params.capabilities;
  const offered = [...(capabilities?.elicitation ? [QUESTIONS] : []), ...(drawsViews(capabilities) ? [VIEWS] : [])];
  return offered.length === 0 ? undefined : [...offered, randomUUID()].join(".");
}

/** Reads them from the id again. */
export function offersOf(sessionId: string | string[] | undefined): { questions: boolean; views: boolean } {
  const offered = typeof sessionId === "string" ? sessionId.split(".").slice(0, -1) : [];
  return { questions: offered.includes(QUESTIONS), views: offered.includes(VIEWS) };
}
