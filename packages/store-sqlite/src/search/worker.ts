import { parentPort, workerData } from "node:worker_threads";
import { LAST } from "../ask-to-end.ts";
import { copyStore } from "../backups/copy.ts";
import { Connection } from "../connection.ts";
import { sqliteCode } from "../errors.ts";
import { pendingCounts, pendingPage } from "../pending.ts";
import { VectorIndex } from "../vector-index/vector-index.ts";
import { listAudit } from "./audit.ts";
import { Bm25 } from "./bm25.ts";
import { browse, overview } from "./browse.ts";
import { takeCensus } from "./census.ts";
import { diagnose } from "./diagnose.ts";
import { listEntities } from "./entities.ts";
import { fileHistory } from "./file-history.ts";
import { matchWords, type WordSearch } from "./match-words.ts";
import type { Message, Op, Reply, Requests, ThreadData } from "./requests.ts";
import { matchVector, packed } from "./vectors.ts";
import { WordIndex } from "./word-index.ts";

type Handlers = {
  readonly [K in Op]: (asks: Requests[K]["asks"]) => Requests[K]["gives"] | Promise<Requests[K]["gives"]>;
};

// One thread of the pool: a read-only connection, its prepared statements, and one question at a time.
const { path, share, rankedRows } = workerData as ThreadData;
const connection = new Connection(path, { readonly: true });
const words: WordSearch = { connection, index: new WordIndex(connection), ranking: new Bm25(), rankedRows };
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
  overview: ({ spaces }) => overview(connection, spaces),
  fileHistory: ({ query, spaces }) => fileHistory(connection, query, spaces),
  audit: ({ query }) => listAudit(connection, query),
  diagnose: () => diagnose(connection),
  census: () => takeCensus(connection),
  copy: ({ to }) => copyStore(connection.db, to),
};

async function answer({ id, op, asks }: Message): Promise<Reply> {
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
