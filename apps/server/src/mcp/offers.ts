import { randomUUID } from "node:crypto";
import { InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const OFFERED = "elicitation.";

/**
 * A client states its abilities once, at `initialize`, and the server keeps no state of it: they come back with each of its
 * requests in the id of a session that is nothing else.
 * @returns undefined for a client that cannot be asked anything, and for every other message.
 */
export function sessionIdFor(message: unknown): string | undefined {
  if ((message as { method?: unknown }).method !== "initialize") return undefined;
  const { data } = InitializeRequestSchema.safeParse(message);
  return data?.params.capabilities.elicitation ? `${OFFERED}${randomUUID()}` : undefined;
}

export const offersQuestions = (sessionId: string | string[] | undefined): boolean =>
  typeof sessionId === "string" && sessionId.startsWith(OFFERED);
