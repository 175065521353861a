export { isWrite, scopeOf } from "./authorise.ts";
export { keepGaps } from "./keep-gaps.ts";
export { type CallLog, logCalls } from "./log-calls.ts";
export { noteRefusal } from "./note-refusals.ts";
