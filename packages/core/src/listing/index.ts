export { digestSince, digestText, digestView } from "./digest.ts";
export { homeView, noteLook } from "./home.ts";
export { inboxCounts, inboxQueue } from "./inbox.ts";
export { linkGraph } from "./link-graph.ts";
export { listGaps } from "./list-gaps.ts";
export { listMemories, wholeMemory } from "./list-memories.ts";
export { listSessions } from "./list-sessions.ts";
export { inboxDeciders, noteInbox } from "./note-inbox.ts";
export { storeStats } from "./stats.ts";
