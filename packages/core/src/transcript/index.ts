export { type CaptureRule, isJournalRule, JOURNAL_DAYS, JOURNAL_RULES, TURN_RULE } from "./candidate.ts";
export { type CaptureOptions, type CaptureReport, captureTranscript, KEEP_OLD, type KeepOld } from "./capture.ts";
export { withoutWords } from "./carry.ts";
export { deedsOf, isReading } from "./commands.ts";
export { isTranscriptSession, readEntry } from "./entry.ts";
export { tellingLinesOf } from "./failures.ts";
export { linesOf, linesOfStream } from "./lines.ts";
export {
  captureMemoryFiles,
  type MemoryFilesReport,
  MOST_MEMORY_FILES,
  memoryFilesInput,
  readFrontMatter,
} from "./memory-files.ts";
export { slimLine } from "./slim.ts";
