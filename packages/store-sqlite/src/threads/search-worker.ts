import { parentPort, workerData } from "node:worker_threads";
import { Bm25 } from "@chest/core";
import { Connection } from "../database/connection.ts";
import { copyStore } from "../database/copy-database.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { pendingCounts, pendingPage } from "../embedding/pending-embeddings.ts";
import { diagnose } from "../queries/diagnose.ts";
import { fileHistory } from "../queries/file-history.ts";
import { listAudit } from "../queries/list-audit.ts";
import { listEntities } from "../queries/list-entities.ts";
import { browse, overview } from "../queries/list-memories.ts";
import { listSessions } from "../queries/list-sessions.ts";
import { countTags, sumCategories, sumShares } from "../queries/list-sums.ts";
import { nearDuplicates } from "../queries/near-duplicates.ts";
import { takeCensus } from "../queries/row-counts.ts";
import { activity, openings } from "../queries/timeline.ts";
import { VectorIndex } from "../vector-index/vector-index.ts";
import { matchVector, packed } from "../vector-index/vector-search.ts";
import { matchWords, type WordSearch } from "../word-search/match-words.ts";
import { WordIndex } from "../word-search/word-index.ts";
import { LAST } from "./end-worker.ts";
import type { Message, Op, Requests, SearchReply, ThreadData } from "./search-protocol.ts";

type Handlers = {
  readonly [K in Op]: (asks: Requests[K]["asks"]) => Requests[K]["gives"] | Promise<Requests[K]["gives"]>;
};

// One thread of the pool: a read-only connection, its prepared statements, and one question at a time.
const { path, share, rankedRows, sampledFrom } = workerData as ThreadData;
const connection = new Connection(path, { readonly: true, isLongLived: true });
const index = new WordIndex(connection, sampledFrom);
const words: WordSearch = { connection, index, ranking: new Bm25(), rankedRows };
const vectors = { connection, index: share && new VectorIndex(connection, share) };
const pending = pendingCounts(connection);

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
  entities: ({ query: { kind, ...query }, spaces, nowS }) =>
    listEntities(connection, { ...query, kind: kind ?? null }, spaces, nowS),
  pending: ({ spaces, lacking }) => pending.count(spaces, lacking),
  pendingPage: (asks) => pendingPage(connection, asks),
  browse: ({ page, where, spaces, limit, nowS }) => browse(connection, { ...page, limit }, where, spaces, nowS),
  tags: ({ where, spaces, page }) => countTags(connection, where, spaces, page),
  categories: ({ where, spaces, most }) => sumCategories(connection, where, spaces, most),
  sessions: ({ page, ...places }) => listSessions(connection, places, page),
  activity: ({ spaces, since }) => activity(connection, spaces, since),
  openings: ({ spaces, since }) => openings(connection, spaces, since),
  statistics: ({ spaces, open }) => sumShares(connection, spaces, open),
  overview: ({ spaces }) => overview(connection, spaces),
  fileHistory: ({ query, spaces }) => fileHistory(connection, query, spaces),
  duplicates: ({ spaces, tagLikeness, page: { limit, offset } }) => {
    const pairs = nearDuplicates(connection, spaces, tagLikeness);
    return { total: pairs.length, pairs: pairs.slice(offset, offset + limit) };
  },
  audit: ({ query }) => listAudit(connection, query),
  diagnose: () => diagnose(connection),
  census: () => takeCensus(connection),
  copy: ({ to }) => copyStore(connection.db, to),
};

async function answer({ id, op, asks }: Message): Promise<SearchReply> {
  try {
    const handler = handlers[op] as (asks: unknown) => unknown;
    return { id, gives: await handler(asks) };
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
