import { parentPort, workerData } from "node:worker_threads";
import { copyStore } from "../backups/copy.ts";
import { Connection } from "../connection.ts";
import { sqliteCode } from "../errors.ts";
import { pendingCounts, pendingPage } from "../pending.ts";
import { browse, overview } from "./browse.ts";
import { diagnose } from "./diagnose.ts";
import { listEntities } from "./entities.ts";
import { Holders } from "./holders.ts";
import type { Message, Op, Reply, Requests } from "./requests.ts";
import { TermCounts } from "./term-counts.ts";
import { matchVector } from "./vectors.ts";
import { matchWords } from "./words.ts";

type Handlers = {
  readonly [K in Op]: (asks: Requests[K]["asks"]) => Requests[K]["gives"] | Promise<Requests[K]["gives"]>;
};

// One thread of the pool: a read-only connection, its prepared statements, and one question at a time.
const connection = new Connection((workerData as { path: string }).path, { readonly: true });
const index = { connection, counts: new TermCounts(connection), holders: new Holders(connection) };
const pending = pendingCounts(connection);

const handlers: Handlers = {
  ping: () => {
    connection.get("SELECT 1 FROM meta");
    return true;
  },
  words: ({ query, where, spaces, limit }) => matchWords(index, query, where, spaces, limit),
  vector: ({ vector, identity, where, spaces, limit }) =>
    matchVector(connection, vector, identity, where, spaces, limit),
  entities: ({ query: { kind, ...query }, spaces, nowS }) =>
    listEntities(connection, { ...query, kind: kind ?? null }, spaces, nowS),
  pending: ({ spaces, lacking }) => pending.count(spaces, lacking),
  pendingPage: (asks) => pendingPage(connection, asks),
  browse: ({ page, where, spaces, limit, nowS }) => browse(connection, { ...page, limit }, where, spaces, nowS),
  overview: ({ spaces }) => overview(connection, spaces),
  diagnose: () => diagnose(connection),
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

parentPort?.on("message", async (message: Message) => {
  parentPort?.postMessage(await answer(message));
});
