import { parentPort, workerData } from "node:worker_threads";
import { Connection } from "../database/connection.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { LAST } from "./end-worker.ts";
import { searchAnswers } from "./search-answers.ts";
import type { Message, SearchReply, ThreadData } from "./search-protocol.ts";

// One thread of the pool: a read-only connection, its prepared statements, and one question at a time.
const { path, ...given } = workerData as ThreadData;
const connection = new Connection(path, { readonly: true, isLongLived: true });
const answers = searchAnswers(connection, given);

async function answer({ id, op, asks }: Message): Promise<SearchReply> {
  try {
    return { id, gives: await answers.answer(op, asks) };
  } catch (error) {
    return { id, error: { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) } };
  }
}

parentPort?.on("message", async (message: Message | typeof LAST) => {
  if (message !== LAST) return parentPort?.postMessage(await answer(message));
  connection.close();
  parentPort?.close();
});

// Runs between queries, so that the first query need not wait for all of it. A query reports a file that cannot be
// read.
function readAhead(): void {
  try {
    if (answers.readAhead()) setImmediate(readAhead);
  } catch {}
}
setImmediate(readAhead);
