import { Bm25 } from "@chest/core/recall";
import { type NearPair, nearPairs } from "@chest/core/statements";
import { countPending, pendingPage } from "@chest/store/embedding/lacking";
import type { NearPairPage, PairsQuery } from "@chest/store/memories/conflicts";
import { comparedTexts, pageOfPairs, unsettledPairs } from "@chest/store/memories/near-pairs";
import { QUERIES, type QueryArguments, type QueryName, runQuery } from "@chest/store/queries/queries";
import { readingOf } from "../database/async-connection.ts";
import type { Connection } from "../database/connection.ts";
import { copyStore } from "../database/copy-database.ts";
import { nextPending } from "../embedding/pending-embeddings.ts";
import { diagnose } from "../queries/diagnose.ts";
import { takeCensus } from "../queries/row-counts.ts";
import { VectorIndex } from "../vector-index/vector-index.ts";
import { matchVector, packed } from "../vector-index/vector-search.ts";
import { matchWords, type WordSearch } from "../word-search/match-words.ts";
import { WordIndex } from "../word-search/word-index.ts";
import type { Op, Requests, ThreadData } from "./search-protocol.ts";

type Handlers = {
  readonly [K in Exclude<Op, QueryName>]: (
    asks: Requests[K]["asks"],
  ) => Requests[K]["gives"] | Promise<Requests[K]["gives"]>;
};

/** Answers requests over one connection that reads. */
export interface SearchAnswers {
  answer<K extends Op>(op: K, asks: Requests[K]["asks"]): Promise<Requests[K]["gives"]>;
  /** Reads a part of the text index ahead; false when there is no more. */
  readAhead(): boolean;
}

export function searchAnswers(
  connection: Connection,
  { share, rankedRows, sampledFrom }: Omit<ThreadData, "path">,
): SearchAnswers {
  const index = new WordIndex(connection, sampledFrom);
  const words: WordSearch = { connection, index, ranking: new Bm25(), rankedRows };
  const vectors = { connection, index: share && new VectorIndex(connection, share) };
  const reading = readingOf(connection);
  const handlers: Handlers = {
    ping: () => {
      connection.get("SELECT 1 FROM meta");
      return true;
    },
    words: ({ units, where, spaces, limit }) => matchWords(words, units, where, spaces, limit),
    vector: ({ vector, identity, where, spaces, limit }) => {
      const hits = matchVector(vectors, vector, identity, where, spaces, limit);
      return hits && packed(hits);
    },
    loadVectors: () => {
      vectors.index?.load();
      return true;
    },
    pending: ({ spaces, lacking }) => countPending(reading, spaces, lacking),
    pendingPage: async (asks) => pendingPage(reading, asks, await nextPending(reading, asks)),
    duplicates: (asks) => nearDuplicates(connection, asks),
    diagnose: () => diagnose(connection),
    census: () => takeCensus(connection),
    copy: ({ to }) => copyStore(connection.db, to),
  };

  return {
    async answer(op, asks) {
      if (isQuery(op)) return runQuery(reading, op, asks as QueryArguments<QueryName>) as never;
      return (handlers[op as keyof Handlers] as (asks: unknown) => never)(asks);
    },
    readAhead: () => index.readAhead(),
  };
}

const isQuery = (op: Op): op is QueryName => Object.hasOwn(QUERIES, op);

interface LastPairs {
  /** Database version of the result. */
  readonly version: number;
  readonly compared: string;
  readonly pairs: readonly NearPair[];
}

// Cached, because the inbox is read far more often than the store changes.
const lastFound = new WeakMap<Connection, LastPairs>();

/**
 * Near duplicates of live memories, without settled pairs. Scans many rows after a write, so it runs in a reading
 * thread.
 */
async function nearDuplicates(
  connection: Connection,
  { spaces, tagLikeness, ...asked }: PairsQuery,
): Promise<NearPairPage> {
  const version = connection.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  const reading = readingOf(connection);
  const compared = JSON.stringify([spaces, tagLikeness]);
  const known = lastFound.get(connection);
  if (known?.version === version && known.compared === compared) return pageOfPairs(reading, known.pairs, asked);
  const found = nearPairs(await comparedTexts(reading, spaces), tagLikeness);
  const pairs = await unsettledPairs(reading, found);
  lastFound.set(connection, { version, compared, pairs });
  return pageOfPairs(reading, pairs, asked);
}
