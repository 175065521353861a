import type { CountedRows, DatabaseServer } from "@chest/core/ports";
import { countsOf, MEASURED } from "@chest/store/queries/row-counts";
import type { Connections } from "./database/connection.ts";

const SERVES_S = 60;
// Counting scans whole indexes, so its share of the time is limited.
const SERVES_TIMES = 100;
const REST_MS = 600_000;

const KEPT = `SELECT value::json AS census,
    extract(epoch FROM clock_timestamp())::float8 - (value::json ->> 'at')::float8 AS age
  FROM meta WHERE key = 'census'`;

const KEEP = `INSERT INTO meta (key, value)
  SELECT 'census', (?::jsonb || jsonb_build_object('at', extract(epoch FROM now()),
    'took', extract(epoch FROM clock_timestamp() - now())))::text
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

type Counts = Omit<CountedRows, "ageS">;

interface StoredCensus {
  /** Counts, with the time at which counting began and the seconds that it took. */
  readonly census: Counts & { readonly at: number; readonly took: number };
  readonly age: number;
}

/**
 * Shares row counts between backends: one backend recounts at a time when they are old, and the others show the last
 * counts. Only the first count is awaited.
 */
export function sharedCensus(
  reader: Connections,
  warn: (fields: object, message: string) => void,
): DatabaseServer["counted"] {
  const kept = (from: Pick<Connections, "get">) => from.get<StoredCensus>(KEPT);
  let counting: Promise<void> | undefined;
  let restsUntil = 0;
  const count = () =>
    reader
      .transaction(async (tx) => {
        const mine = await tx.get<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock(9, 0) AS taken");
        // Another backend may have counted since the check.
        if (!mine?.taken || !isDue(await kept(tx))) return;
        const counts = await tx.get<Counts>(countsOf(MEASURED));
        tx.later(KEEP, JSON.stringify(counts));
      })
      .catch((error: unknown) => {
        restsUntil = performance.now() + REST_MS;
        warn({ err: error }, "rows could not be counted: metrics show the last counts");
      })
      .finally(() => {
        counting = undefined;
      });
  return async () => {
    let last = await kept(reader);
    if (isDue(last) && performance.now() > restsUntil) counting ??= count();
    if (!last) {
      await counting;
      last = await kept(reader);
    }
    if (!last) return undefined;
    const { at: _, took: __, ...counts } = last.census;
    return { ...counts, ageS: Math.max(0, last.age) };
  };
}

const isDue = (last: StoredCensus | undefined): boolean =>
  !last || last.age < 0 || last.age > Math.max(SERVES_S, SERVES_TIMES * last.census.took);
