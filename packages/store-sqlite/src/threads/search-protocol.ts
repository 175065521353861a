import type {
  AuditEntry,
  AuditQuery,
  Browse,
  CategorySummary,
  Census,
  EmbeddingIdentity,
  EntityQuery,
  FileHistory,
  FileHistoryQuery,
  Filter,
  Overview,
  Space,
  Statistics,
  TagCount,
  Unit,
} from "@chest/core";
import type { Copied } from "../database/copy-database.ts";
import type { Lacking, PendingAsk, PendingPage } from "../embedding/pending-embeddings.ts";
import type { PairsRequest } from "../memories/conflicts.ts";
import type { Findings } from "../queries/diagnose.ts";
import type { EntityListing } from "../queries/list-entities.ts";
import type { Page } from "../queries/list-memories.ts";
import type { SessionPage } from "../queries/list-sessions.ts";
import type { Share } from "../vector-index/vector-index.ts";
import type { VectorHits } from "../vector-index/vector-search.ts";
import type { RankedRows } from "../word-search/match-words.ts";

/** Requests that a search thread answers, by name, with input and output. */
export interface Requests {
  ping: { readonly asks: Record<string, never>; readonly gives: true };
  words: {
    readonly asks: Scoped & { readonly units: readonly Unit[] };
    readonly gives: RankedRows | undefined;
  };
  vector: {
    readonly asks: Scoped & { readonly vector: Float32Array; readonly identity: EmbeddingIdentity };
    readonly gives: VectorHits | undefined;
  };
  entities: {
    readonly asks: {
      readonly query: Omit<EntityQuery, "reach">;
      readonly spaces: readonly Space[];
      readonly nowS: number;
    };
    readonly gives: EntityListing;
  };
  pending: {
    readonly asks: { readonly spaces: readonly Space[]; readonly lacking: Lacking };
    readonly gives: number;
  };
  pendingPage: { readonly asks: PendingAsk; readonly gives: PendingPage };
  browse: {
    readonly asks: Scoped & { readonly page: Omit<Browse, "where" | "limit">; readonly nowS: number };
    readonly gives: Page;
  };
  tags: {
    readonly asks: Omit<Scoped, "limit"> & { readonly page: { readonly limit: number; readonly offset: number } };
    readonly gives: { readonly total: number; readonly tags: readonly TagCount[] };
  };
  categories: {
    readonly asks: Omit<Scoped, "limit"> & { readonly most: { readonly tags: number; readonly sample: number } };
    readonly gives: CategorySummary[];
  };
  sessions: {
    readonly asks: {
      readonly spaces: readonly Space[];
      readonly open: readonly Space[];
      readonly page: { readonly limit: number; readonly offset: number };
    };
    readonly gives: SessionPage;
  };
  activity: {
    readonly asks: { readonly spaces: readonly Space[]; readonly since: Date };
    readonly gives: readonly { readonly day: string; readonly memories: number }[];
  };
  openings: {
    readonly asks: { readonly spaces: readonly Space[]; readonly since: Date };
    readonly gives: readonly { readonly day: string; readonly openings: number }[];
  };
  statistics: {
    readonly asks: { readonly spaces: readonly Space[]; readonly open: readonly Space[] };
    readonly gives: Statistics;
  };
  overview: { readonly asks: { readonly spaces: readonly Space[] }; readonly gives: Overview };
  fileHistory: {
    readonly asks: { readonly query: Omit<FileHistoryQuery, "reach">; readonly spaces: readonly Space[] };
    readonly gives: FileHistory;
  };
  duplicates: PairsRequest;
  loadVectors: { readonly asks: Record<string, never>; readonly gives: true };
  audit: { readonly asks: { readonly query: AuditQuery }; readonly gives: AuditEntry[] };
  diagnose: { readonly asks: Record<string, never>; readonly gives: Findings };
  census: { readonly asks: Record<string, never>; readonly gives: Census };
  copy: { readonly asks: { readonly to: string }; readonly gives: Copied };
}

interface Scoped {
  readonly where: Omit<Filter, "reach">;
  readonly spaces: readonly Space[];
  readonly limit: number;
}

export type Op = keyof Requests;

/** Data that a thread is started with. */
export interface ThreadData {
  readonly path: string;
  readonly share: Share | undefined;
  readonly rankedRows: number | undefined;
  readonly sampledFrom: number | undefined;
}

export interface Message<K extends Op = Op> {
  readonly id: number;
  readonly op: K;
  readonly asks: Requests[K]["asks"];
}

export interface SearchReply {
  readonly id: number;
  readonly gives?: unknown;
  readonly error?: { readonly message: string; readonly code?: string | undefined };
}
