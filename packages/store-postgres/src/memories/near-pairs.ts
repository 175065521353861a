import { createHash } from "node:crypto";
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
  compared: ComparedRows,
  { spaces, tagLikeness, ...asked }: PairsQuery,
): Promise<NearPairPage> {
  const rows = await search((searcher) => comparedTexts(searcher, spaces));
  return pageOfPairs(connection, await unsettledPairs(connection, await compared.pairsOf(rows, tagLikeness)), asked);
}

/** Keeps the pairs of some sets of rows, because the inbox is read far more often than its rows change. */
export class ComparedRows {
  static readonly #MOST = 16;
  /** Pairs by the hash of their rows, in the order of their last use. */
  readonly #kept = new Map<string, Promise<readonly NearPair[]>>();

  pairsOf(rows: readonly Comparable[], tagLikeness: number): Promise<readonly NearPair[]> {
    const key = createHash("sha256")
      .update(JSON.stringify([tagLikeness, rows]))
      .digest("base64url");
    const pairs = this.#kept.get(key) ?? nearPairsOf(rows, tagLikeness);
    this.#kept.delete(key);
    this.#kept.set(key, pairs);
    pairs.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > ComparedRows.#MOST && oldest !== undefined) this.#kept.delete(oldest);
    return pairs;
  }
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
