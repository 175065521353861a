export { DIGEST_FIELDS, digestSince, digestText, digestView } from "./digest.ts";
export { HOME_FIELDS, homeView, noteLook } from "./home.ts";
export { INBOX_FIELDS, inboxCounts, inboxQueue } from "./inbox.ts";
export { GRAPH_FIELDS, linkGraph } from "./link-graph.ts";
export { GAP_FIELDS, listGaps } from "./list-gaps.ts";
export { LIST_FIELDS, listMemories, wholeMemory } from "./list-memories.ts";
export { listSessions, SESSION_FIELDS } from "./list-sessions.ts";
export { INBOX_NOTE_FIELDS, inboxDeciders, noteInbox } from "./note-inbox.ts";
