import type { Worker } from "node:worker_threads";

/** Message that ends a thread: it finishes its query and closes its connection. */
export const LAST = "last";

const PATIENCE_MS = 5000;

/**
 * Asks a thread to end after its current query, and resolves when it has ended. `terminate()` is the fallback: inside a
 * native library it may abort the whole process (`SIGABRT`).
 */
export async function askToEnd(worker: Worker): Promise<void> {
  const gone = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  if (worker.threadId === -1) return;
  worker.ref();
  worker.postMessage(LAST);
  const late = setTimeout(() => void worker.terminate(), PATIENCE_MS);
  await gone;
  clearTimeout(late);
}
