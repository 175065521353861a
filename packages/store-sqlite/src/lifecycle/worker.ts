import { parentPort, workerData } from "node:worker_threads";
import { readDue } from "@chest/store/lifecycle/due";
import { readingOf } from "../database/async-connection.ts";
import { Connection } from "../database/connection.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { LAST } from "../threads/end-worker.ts";
import type { LifecycleReply, Message } from "./thread.ts";

const connection = new Connection((workerData as { path: string }).path, { readonly: true });
const reading = readingOf(connection);

async function answer({ id, name, asked }: Message): Promise<LifecycleReply> {
  try {
    return { id, gives: await readDue(reading, name, asked) };
  } catch (error) {
    return { id, error: { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) } };
  }
}

parentPort?.on("message", async (message: Message | typeof LAST) => {
  if (message !== LAST) return parentPort?.postMessage(await answer(message));
  connection.close();
  parentPort?.close();
});
