import { Worker } from "node:worker_threads";
import { type Comparable, type NearPair, nearPairs as pairsAmong } from "@chest/core/statements";
import type { NearPairPage, PairsQuery } from "@chest/store/memories/conflicts";
import { comparedTexts, pageOfPairs, unsettledPairs } from "@chest/store/memories/near-pairs";
import type { Reading } from "../database/connection.ts";

/**
 * Near duplicates of live memories, without settled pairs.
 * @param search runs reads over many rows with a time limit
 */
export async function nearPairs(
  connection: Reading,
  search: <T>(ask: (searcher: Reading) => Promise<T>) => Promise<T>,
  { spaces, tagLikeness, ...asked }: PairsQuery,
): Promise<NearPairPage> {
  const rows = await search((searcher) => comparedTexts(searcher, spaces));
  return pageOfPairs(connection, await unsettledPairs(connection, await nearPairsOf(rows, tagLikeness)), asked);
}

/** Fewer rows are compared here, because starting a thread would take longer. */
const FEW = 300;

export interface NearPairQuery {
  readonly rows: readonly Comparable[];
  readonly tagLikeness: number;
}

/** Finds near duplicates; many rows are compared in a thread, because that takes a quarter of a second. */
export async function nearPairsOf(rows: readonly Comparable[], tagLikeness: number): Promise<NearPair[]> {
  if (rows.length <= FEW) return pairsAmong(rows, tagLikeness);
  const worker = new Worker(workerFile(), { workerData: { rows, tagLikeness } satisfies NearPairQuery });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the thread ended without an answer")));
    });
  } finally {
    await worker.terminate();
  }
}

/** File of the worker: the source, or the bundled file. */
function workerFile(): URL {
  return new URL(
    import.meta.url.endsWith(".ts") ? "./near-pairs-worker.ts" : "./near-pairs-worker.js",
    import.meta.url,
  );
}
