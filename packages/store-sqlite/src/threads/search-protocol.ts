import type { Space } from "@chest/core/access";
import type { Census, EmbeddingIdentity } from "@chest/core/ports";
import type { Unit } from "@chest/core/recall";
import type { DatedFilter } from "@chest/store/database/condition";
import type { Lacking, PendingAsk, PendingPage } from "@chest/store/embedding/lacking";
import type { NearPairPage, PairsQuery } from "@chest/store/memories/conflicts";
import type { QueryArguments, QueryName, QueryResult } from "@chest/store/queries/queries";
import type { Copied } from "../database/copy-database.ts";
import type { Findings } from "../queries/diagnose.ts";
import type { Share } from "../vector-index/vector-index.ts";
import type { VectorHits } from "../vector-index/vector-search.ts";
import type { RankedWordHits } from "../word-search/match-words.ts";

/** Requests that only this engine has. */
interface OwnRequests {
  ping: { readonly asks: Record<string, never>; readonly gives: true };
  words: {
    readonly asks: Scoped & { readonly units: readonly Unit[] };
    readonly gives: RankedWordHits | undefined;
  };
  vector: {
    readonly asks: Scoped & { readonly vector: Float32Array; readonly identity: EmbeddingIdentity };
    readonly gives: VectorHits | undefined;
  };
  pending: {
    readonly asks: { readonly spaces: readonly Space[]; readonly lacking: Lacking };
    readonly gives: number;
  };
  pendingPage: { readonly asks: PendingAsk; readonly gives: PendingPage };
  duplicates: { readonly asks: PairsQuery; readonly gives: NearPairPage };
  loadVectors: { readonly asks: Record<string, never>; readonly gives: true };
  diagnose: { readonly asks: Record<string, never>; readonly gives: Findings };
  census: { readonly asks: Record<string, never>; readonly gives: Census };
  copy: { readonly asks: { readonly to: string }; readonly gives: Copied };
}

interface Scoped {
  readonly where: DatedFilter;
  readonly spaces: readonly Space[];
  readonly limit: number;
}

/** Requests that a search thread answers, by name, with input and output: its own, and the shared queries. */
export type Requests = OwnRequests & {
  readonly [K in QueryName]: { readonly asks: QueryArguments<K>; readonly gives: QueryResult<K> };
};

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
