import type { PairsFound, PairsQuery } from "@chest/store/memories/conflicts";
import { comparedTexts, pageOfPairs, unsettledPairs } from "@chest/store/memories/near-pairs";
import type { Reading } from "../database/connection.ts";
import { nearPairsOf } from "./near-pairs-thread.ts";

/**
 * Pairs of live memories that say much the same, without those that were settled as two.
 * @param search asks what goes over many rows, and refuses where that takes too long
 */
export async function nearPairs(
  connection: Reading,
  search: <T>(ask: (searcher: Reading) => Promise<T>) => Promise<T>,
  { spaces, tagLikeness, page }: PairsQuery,
): Promise<PairsFound> {
  const rows = await search((searcher) => comparedTexts(searcher, spaces));
  return pageOfPairs(await unsettledPairs(connection, await nearPairsOf(rows, tagLikeness)), page);
}
