import { randomUUID } from "node:crypto";
import { drawsViews } from "@chest/mcp-server";
import { InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const QUESTIONS = "elicitation";
const VIEWS = "views";

/**
 * Builds the session id that carries a client's abilities. The client states them once, at `initialize`, and the server
 * keeps no session state; the id brings them back with each later request.
 * @returns undefined for a client without relevant abilities, and for every other message.
 */
export function sessionIdFor(message: unknown): string | undefined {
  if ((message as { method?: unknown }).method !== "initialize") return undefined;
  const capabilities = InitializeRequestSchema.safeParse(message).data?.params.capabilities;
  const offered = [...(capabilities?.elicitation ? [QUESTIONS] : []), ...(drawsViews(capabilities) ? [VIEWS] : [])];
  return offered.length === 0 ? undefined : [...offered, randomUUID()].join(".");
}

/** Reads the client's abilities from the session id. */
export function offersOf(sessionId: string | string[] | undefined): { questions: boolean; views: boolean } {
  const offered = typeof sessionId === "string" ? sessionId.split(".").slice(0, -1) : [];
  return { questions: offered.includes(QUESTIONS), views: offered.includes(VIEWS) };
}
