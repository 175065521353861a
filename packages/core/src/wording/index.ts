export { judgeConflicts } from "./judge-conflicts.ts";
export { learnFromSession } from "./learn-session.ts";
export { wordSession } from "./word-session.ts";
export { wordSummaries } from "./word-summaries.ts";
