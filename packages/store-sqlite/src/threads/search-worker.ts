import { parentPort, workerData } from "node:worker_threads";
import { Bm25 } from "@chest/core";
import { QUERIES, type QueryArguments, type QueryName, runQuery } from "@chest/store/queries/queries";
import { readingOf } from "../database/async-connection.ts";
import { Connection } from "../database/connection.ts";
import { copyStore } from "../database/copy-database.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { pendingCounts, pendingPage } from "../embedding/pending-embeddings.ts";
import { diagnose } from "../queries/diagnose.ts";
import { nearDuplicates } from "../queries/near-duplicates.ts";
import { takeCensus } from "../queries/row-counts.ts";
import { VectorIndex } from "../vector-index/vector-index.ts";
import { matchVector, packed } from "../vector-index/vector-search.ts";
import { matchWords, type WordSearch } from "../word-search/match-words.ts";
import { WordIndex } from "../word-search/word-index.ts";
import { LAST } from "./end-worker.ts";
import type { Message, Op, Requests, SearchReply, ThreadData } from "./search-protocol.ts";

type Handlers = {
  readonly [K in Exclude<Op, QueryName>]: (
    asks: Requests[K]["asks"],
  ) => Requests[K]["gives"] | Promise<Requests[K]["gives"]>;
};

// One thread of the pool: a read-only connection, its prepared statements, and one question at a time.
const { path, share, rankedRows, sampledFrom } = workerData as ThreadData;
const connection = new Connection(path, { readonly: true, isLongLived: true });
const index = new WordIndex(connection, sampledFrom);
const words: WordSearch = { connection, index, ranking: new Bm25(), rankedRows };
const vectors = { connection, index: share && new VectorIndex(connection, share) };
const pending = pendingCounts(connection);
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
  pending: ({ spaces, lacking }) => pending.count(spaces, lacking),
  pendingPage: (asks) => pendingPage(connection, asks),
  duplicates: ({ spaces, tagLikeness, page: { limit, offset } }) => {
    const pairs = nearDuplicates(connection, spaces, tagLikeness);
    return { total: pairs.length, pairs: pairs.slice(offset, offset + limit) };
  },
  diagnose: () => diagnose(connection),
  census: () => takeCensus(connection),
  copy: ({ to }) => copyStore(connection.db, to),
};

const isQuery = (op: Op): op is QueryName => Object.hasOwn(QUERIES, op);

async function answer({ id, op, asks }: Message): Promise<SearchReply> {
  try {
    const gives = isQuery(op)
      ? await runQuery(reading, op, asks as QueryArguments<QueryName>)
      : await (handlers[op] as (asks: unknown) => unknown)(asks);
    return { id, gives };
  } catch (error) {
    return { id, error: { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) } };
  }
}

parentPort?.on("message", async (message: Message | typeof LAST) => {
  if (message !== LAST) return parentPort?.postMessage(await answer(message));
  connection.close();
  parentPort?.close();
});

// Between questions, so that the first one does not wait for all of it. A file that cannot be read says so to who asks.
function readAhead(): void {
  try {
    if (words.index.readAhead()) setImmediate(readAhead);
  } catch {}
}
setImmediate(readAhead);
