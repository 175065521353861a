import type { PairsFound, PairsQuery } from "@chest/store/memories/conflicts";
import { comparedTexts, pageOfPairs, unsettledPairs } from "@chest/store/memories/near-pairs";
import type { Reading } from "../database/connection.ts";
import { nearPairsOf } from "./near-pairs-thread.ts";

/**
 * Near duplicates of live memories, without settled pairs.
 * @param search runs reads over many rows with a time limit
 */
export async function nearPairs(
  connection: Reading,
  search: <T>(ask: (searcher: Reading) => Promise<T>) => Promise<T>,
  { spaces, tagLikeness, ...asked }: PairsQuery,
): Promise<PairsFound> {
  const rows = await search((searcher) => comparedTexts(searcher, spaces));
  return pageOfPairs(connection, await unsettledPairs(connection, await nearPairsOf(rows, tagLikeness)), asked);
}
