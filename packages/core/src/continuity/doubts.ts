import { some } from "../answers/wire.ts";
import type { Store } from "../ports/store.ts";

/** Reasons to check a memory before using it. */
export interface Doubts {
  /** Memories that contradict it. */
  readonly contradictedBy?: readonly number[] | undefined;
  /** Its source files that had changed or were missing at the last check. */
  readonly stale?: readonly string[] | undefined;
}

/** Doubts in the form that answers show. */
export type ShownDoubts = {
  readonly contradicted_by?: number[] | undefined;
  readonly stale?: string[] | undefined;
};

/** A memory has at most twenty sources, and a block at most some fifty memories. */
const MOST_SOURCES = 1000;

/** Finds the doubts about memories; memories without doubts are left out. */
export async function doubtsOf(
  ids: readonly number[],
  { conflicts, sources }: Pick<Store, "conflicts" | "sources">,
): Promise<ReadonlyMap<number, Doubts>> {
  if (ids.length === 0) return new Map();
  const [opponents, found] = await Promise.all([
    conflicts.opponents(ids),
    sources.find({ reach: "everywhere", ids, limit: MOST_SOURCES }),
  ]);
  const changed = found.sources.filter(({ status }) => status === "stale" || status === "missing");
  const byMemory = Map.groupBy(changed, ({ memoryId }) => memoryId);
  return new Map(
    ids.flatMap((id) => {
      const [contradictedBy, stale] = [opponents.get(id), byMemory.get(id)?.map(({ path }) => path)];
      return contradictedBy || stale ? [[id, { contradictedBy, stale }] as const] : [];
    }),
  );
}

/** Adds doubts to the rows of an answer. */
export async function withShownDoubts<T extends { readonly id: number | string }>(
  rows: readonly T[],
  store: Pick<Store, "conflicts" | "sources">,
): Promise<(T & ShownDoubts)[]> {
  const doubts = await doubtsOf(
    rows.map(({ id }) => Number(id)),
    store,
  );
  return rows.map((row) => {
    const { contradictedBy = [], stale = [] } = doubts.get(Number(row.id)) ?? {};
    return { ...row, ...some("contradicted_by", contradictedBy), ...some("stale", stale) };
  });
}
