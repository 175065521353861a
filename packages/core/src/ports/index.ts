export {
  type AccessBook,
  type AccessReads,
  type AccessWrites,
  type Bearer,
  type MemberRow,
  type ProjectAccess,
  type ProjectCounts,
  type ProjectRow,
  SIGN_IN_IDLE_MS,
  type TokenKind,
  type TokenRow,
} from "./access.ts";
export type { AuditEntry, AuditLog, AuditQuery, Refusal } from "./audit.ts";
export type { AuthorizationRecords, StoredRecord } from "./authorization.ts";
export { type Clock, systemClock } from "./clock.ts";
export type { ConflictPage, ConflictReads, ConflictWrites } from "./conflicts.ts";
export type { ConversationReads, ConversationWrites } from "./conversations.ts";
export {
  type Closeness,
  type Embedder,
  type EmbedderFor,
  type EmbedderState,
  type Embedding,
  type EmbeddingIdentity,
  noEmbedder,
  type Passage,
} from "./embedder.ts";
export type { Diagnosis, Engine, Inspection, StoreSummary } from "./engine.ts";
export type { FileHistory, FileHistoryQuery } from "./files/file-history.ts";
export type { Outline, Part } from "./files/outline.ts";
export { MAX_FILE_BYTES, outsideRoots, type ReadFile, type Workspace } from "./files/workspace.ts";
export { GAP_DAYS, type GapReads, type GapWrites, MOST_GAPS } from "./gaps.ts";
export type { HomeWrites, News, NewsQuery } from "./home.ts";
export type { Identities, IdentityBook, IdentityShare } from "./identities.ts";
export { type Impressions, type SessionEvents, type SessionQuery, SURFACES } from "./impressions.ts";
export {
  INBOX_KINDS,
  INBOX_PARTS,
  type InboxItem,
  type InboxKind,
  type InboxNote,
  type InboxPart,
  type InboxReads,
  type InboxWrites,
  inboxKey,
} from "./inbox/notes.ts";
export type { PromotionReads, PromotionWrites } from "./inbox/promotions.ts";
export {
  type CallerSweeps,
  type ConsolidationOptions,
  type ConsolidationPlan,
  type Doing,
  type ForgettingPlan,
  type Journal,
  type Lease,
  type Lifecycle,
  PASSES,
  type PassName,
  type PassOutcome,
  type PassReport,
  type Plan,
  type PruneLimits,
  type Restorable,
  type Restored,
  type RunReport,
  type Sweeps,
  type Trigger,
  type TurnRetention,
} from "./lifecycle.ts";
export type {
  CategorySummary,
  Link,
  Listings,
  MemoryParts,
  SessionSummary,
  Share,
  Statistics,
  TagCount,
} from "./listings.ts";
export { LLM_FAILURES, type Llm, type LlmAnswer, type LlmFailure, type LlmRequest, noLlm } from "./models/llm.ts";
export type { Reranker, Reranking } from "./models/reranker.ts";
export type { Backup, Backups, KeepRule, ListedBackup } from "./operations/backups.ts";
export type { PurgeReceipt, Purger, PurgeTarget, StoredText } from "./operations/purge.ts";
export { CHANGED, type Signals } from "./operations/signals.ts";
export type { Cell, Row, StoreRows } from "./operations/store-host.ts";
export {
  CannotOpen,
  type Census,
  type CountedRows,
  type DatabaseServer,
  type Load,
  type PlacedFile,
  type SearchListener,
  type ServerFacts,
  type StoreHost,
  type StorePlace,
} from "./operations/store-host.ts";
export type { EmbedSoon, PendingQueue } from "./pending.ts";
export type { Readings } from "./readings.ts";
export { type Filter, type Hit, SearchTimeout, type WordHit } from "./search.ts";
export {
  type CapturedMemory,
  type CaptureOutcome,
  HANDOFF_KINDS,
  type LastWork,
  type SessionReads,
  type SessionWrites,
  SOURCE_GONE,
  type TranscriptProgress,
  type WorkSnapshot,
} from "./sessions.ts";
export type { FileSnapshot, SnapshotKey, SnapshotReads, Snapshots, SnapshotWrites } from "./snapshots.ts";
export type { MemorySource, SourceOfMemory, SourceReads, SourceWrites } from "./sources.ts";
export type {
  Accesses,
  AccessesTwice,
  Browse,
  BrowseOrder,
  Claim,
  EntityName,
  EntityQuery,
  EntitySummary,
  EntityWrites,
  EventKind,
  Foreseen,
  FoundEntity,
  LinkWrites,
  MemoryReads,
  MemoryRows,
  MemoryWrites,
  NewMemory,
  Overview,
  PastPage,
  Store,
  VectorWrites,
  Writes,
} from "./store.ts";
export type { StoredTrigger, TriggerReads, TriggerWrites } from "./triggers.ts";
export type { WebhookBook, WebhookProgress, WebhookRow } from "./webhooks.ts";
export { PRIORITIES, WORK_STATUSES, type WorkItem, type WorkReads, type WorkWrites } from "./work.ts";
