import { parentPort } from "node:worker_threads";
import type { Connection } from "../database/connection.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { LAST } from "./end-worker.ts";

/** Answer to a question that a thread was asked. */
export interface Reply {
  readonly id: number;
  readonly gives?: unknown;
  readonly error?: { readonly message: string; readonly code?: string | undefined };
}

/** Answers the questions of the main thread over a connection, until the message that ends this thread. */
export function answerMessages<Message extends { readonly id: number }>(
  connection: Pick<Connection, "close">,
  answer: (message: Message) => unknown,
): void {
  const reply = async (message: Message): Promise<Reply> => {
    const { id } = message;
    try {
      return { id, gives: await answer(message) };
    } catch (error) {
      return {
        id,
        error: { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) },
      };
    }
  };
  parentPort?.on("message", async (message: Message | typeof LAST) => {
    if (message !== LAST) return parentPort?.postMessage(await reply(message));
    connection.close();
    parentPort?.close();
  });
}
