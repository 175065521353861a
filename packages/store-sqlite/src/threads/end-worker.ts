import type { Worker } from "node:worker_threads";

/** The message that ends a thread: it finishes the question at hand, closes its connection and goes. */
export const LAST = "last";

const PATIENCE_MS = 5000;

/**
 * Ends a thread once it has finished what it is at, and resolves when it is gone. `terminate()` is for one that does
 * not: where it meets a thread inside a native library, the library may end the whole process (`SIGABRT`).
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
