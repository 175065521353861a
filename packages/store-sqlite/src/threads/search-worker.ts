import { workerData } from "node:worker_threads";
import { Connection } from "../database/connection.ts";
import { answerMessages } from "./answer-messages.ts";
import { searchAnswers } from "./search-answers.ts";
import type { Message, ThreadData } from "./search-protocol.ts";

// One thread of the pool: a read-only connection, its prepared statements, and one question at a time.
const { path, ...given } = workerData as ThreadData;
const connection = new Connection(path, { readonly: true, isLongLived: true });
const answers = searchAnswers(connection, given);

answerMessages(connection, ({ op, asks }: Message) => answers.answer(op, asks));

// Runs between queries, so that the first query need not wait for all of it. A query reports a file that cannot be
// read.
function readAhead(): void {
  try {
    if (answers.readAhead()) setImmediate(readAhead);
  } catch {}
}
setImmediate(readAhead);
