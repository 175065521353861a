import type { Space } from "@chest/core/access";
import type { Accesses, AccessesTwice } from "@chest/core/ports";
import { toDate, toSeconds } from "@chest/store/database/rows";
import { setOf } from "@chest/store/database/spaces";
import type { Reading } from "../database/connection.ts";

const DAY_S = 86_400;
const SPACES = "SELECT id, space FROM memories WHERE id IN (SELECT value FROM json_each(?))";

/** Packs a memory's index and a time into one number: reading one column takes half the time of two. */
const STEP = 2 ** 34;
const STAMPS = `SELECT c.key * ${STEP} + l.accessed_at AS stamp FROM json_each(?) c
  CROSS JOIN memory_access_log l ON l.memory_id = c.value WHERE l.accessed_at <= ?`;

/**
 * Openings of memories up to now, and up to an earlier time; memories without any are left out. Summed here, because
 * SQL takes twice as long for eight sums.
 */
export function accessesOf(
  connection: Reading,
  query: readonly number[],
  spaces: readonly Space[],
  now: Date,
  earlier: Date,
): ReadonlyMap<number, AccessesTwice> {
  const open = setOf(spaces);
  const rows = connection.all<{ id: number; space: Space }>(SPACES, JSON.stringify(query));
  const ids = rows.filter(({ space }) => open.has(space)).map(({ id }) => id);
  const nowS = toSeconds(now);
  const earlierS = toSeconds(earlier);
  const all = new Map<number, Count>();
  const before = new Map<number, Count>();
  for (const stamp of connection.ids(STAMPS, JSON.stringify(ids), nowS)) {
    const nth = Math.floor(stamp / STEP);
    const at = stamp - nth * STEP;
    const id = ids[nth] as number;
    count(all, id, at, nowS);
    if (at <= earlierS) count(before, id, at, nowS);
  }
  return new Map(
    [...all].map(([id, counted]) => [id, { ...toAccesses(counted), earlier: toAccessesIfAny(before.get(id)) }]),
  );
}

interface Count {
  within30Days: number;
  within90Days: number;
  total: number;
  /** Unix seconds. */
  lastAt: number;
}

function count(counts: Map<number, Count>, id: number, at: number, nowS: number): void {
  let own = counts.get(id);
  if (!own) {
    own = { within30Days: 0, within90Days: 0, total: 0, lastAt: at };
    counts.set(id, own);
  }
  own.total += 1;
  if (at > nowS - 30 * DAY_S) own.within30Days += 1;
  if (at > nowS - 90 * DAY_S) own.within90Days += 1;
  own.lastAt = Math.max(own.lastAt, at);
}

const toAccesses = ({ lastAt, ...counted }: Count): Accesses => ({ ...counted, lastAt: toDate(lastAt) });
const toAccessesIfAny = (counted: Count | undefined): Accesses | undefined => counted && toAccesses(counted);
