export type { Keywords } from "./keywords.ts";
export { conversationTurns, listConversations, listTriggers } from "./listed.ts";
export { MAX_SCORE, outlivedTurns } from "./relevance.ts";
