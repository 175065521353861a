export { categoryOf, type ForeignMemory, foreignRecords, secondsOf, textsOf } from "./foreign/foreign-memory.ts";
export {
  conditionOf,
  type ForeignRead,
  readClaudeMemLite,
  readContextMemory,
  readDoobidoo,
  readMem0,
  readMemoryMcp,
} from "./foreign/json-formats.ts";
export { rowsOfExport } from "./foreign/whole-json.ts";
export { DECIDED_HERE, incomingTags, incomingVector, leftAsBare, leftAsPurged, OUTSIDE_COLUMNS } from "./incoming.ts";
export { readMcpMemory } from "./mcp-memory.ts";
export { archiveLines, checkArchive, readArchive } from "./ndjson.ts";
export {
  type ArchiveRecord,
  archiveRecord,
  type ConsolidationRecord,
  type EditRecord,
  type EntityRecord,
  type InboxRecord,
  type LinkRecord,
  type MemoryRecord,
  MOST_KEPT_ID,
  type ProjectRecord,
  type SkippedRecord,
  stableUid,
  type WorkRecord,
} from "./record.ts";
export { type ImportReport, ImportTally } from "./report.ts";
