import { type NearPair, nearPairs } from "@chest/core";
import type { PairsFound, PairsQuery } from "@chest/store/memories/conflicts";
import { comparedTexts, pageOfPairs, unsettledPairs } from "@chest/store/memories/near-pairs";
import { readingOf } from "../database/async-connection.ts";
import type { Connection } from "../database/connection.ts";

interface LastPairs {
  /** State of the database in which it was found. */
  readonly version: number;
  readonly asked: string;
  readonly pairs: readonly NearPair[];
}

// An inbox is asked for far more often than something is written.
const lastFound = new WeakMap<Connection, LastPairs>();

/**
 * Pairs of live memories that say much the same, without those that were settled as two; walks many rows where something was
 * written since the last time, so it is for a thread that only reads.
 */
export async function nearDuplicates(
  connection: Connection,
  { spaces, tagLikeness, page }: PairsQuery,
): Promise<PairsFound> {
  const version = connection.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  const asked = JSON.stringify([spaces, tagLikeness]);
  const known = lastFound.get(connection);
  if (known?.version === version && known.asked === asked) return pageOfPairs(known.pairs, page);
  const reading = readingOf(connection);
  const found = nearPairs(await comparedTexts(reading, spaces), tagLikeness);
  const pairs = await unsettledPairs(reading, found);
  lastFound.set(connection, { version, asked, pairs });
  return pageOfPairs(pairs, page);
}
