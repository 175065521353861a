import { type NearPair, nearPairs } from "@chest/core/statements";
import type { NearPairPage, PairsQuery } from "@chest/store/memories/conflicts";
import { comparedTexts, pageOfPairs, unsettledPairs } from "@chest/store/memories/near-pairs";
import { readingOf } from "../database/async-connection.ts";
import type { Connection } from "../database/connection.ts";

interface LastPairs {
  /** Database version of the result. */
  readonly version: number;
  readonly compared: string;
  readonly pairs: readonly NearPair[];
}

// Cached, because the inbox is read far more often than the store changes.
const lastFound = new WeakMap<Connection, LastPairs>();

/**
 * Near duplicates of live memories, without settled pairs. Scans many rows after a write, so it runs in a reading
 * thread.
 */
export async function nearDuplicates(
  connection: Connection,
  { spaces, tagLikeness, ...asked }: PairsQuery,
): Promise<NearPairPage> {
  const version = connection.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  const reading = readingOf(connection);
  const compared = JSON.stringify([spaces, tagLikeness]);
  const known = lastFound.get(connection);
  if (known?.version === version && known.compared === compared) return pageOfPairs(reading, known.pairs, asked);
  const found = nearPairs(await comparedTexts(reading, spaces), tagLikeness);
  const pairs = await unsettledPairs(reading, found);
  lastFound.set(connection, { version, compared, pairs });
  return pageOfPairs(reading, pairs, asked);
}
