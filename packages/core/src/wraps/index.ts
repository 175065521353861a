export { afterWrite } from "./after-write.ts";
export { authorise, isWrite, scopeOf } from "./authorise.ts";
export { keepGaps } from "./keep-gaps.ts";
export { type CallLog, logCalls } from "./log-calls.ts";
export { isRefusal, noteRefusals } from "./note-refusals.ts";
