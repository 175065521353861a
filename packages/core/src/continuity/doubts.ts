import type { Store } from "../ports/store.ts";
import { some } from "../wire.ts";

/** Reasons to look twice at a memory before it is used. */
export interface Doubts {
  /** Memories that say otherwise. */
  readonly contradictedBy?: readonly number[] | undefined;
  /** Its source files that had changed or were missing at the last check. */
  readonly stale?: readonly string[] | undefined;
}

/** As answers show it. */
export type ShownDoubts = {
  readonly contradicted_by?: number[] | undefined;
  readonly stale?: string[] | undefined;
};

/** A memory has at most twenty sources, and a block at most some fifty memories. */
const MOST_SOURCES = 1000;

/** Doubts by memory; one without any is left out. */
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

/** Rows of an answer, each with what speaks against it. */
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
