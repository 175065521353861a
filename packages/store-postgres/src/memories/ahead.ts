import type { AccessesTwice, Link, Store } from "@chest/core/ports";

interface ReadAheadQuery {
  readonly ids: ReadonlySet<number>;
  readonly now: Date;
  readonly earlier: Date;
  readonly accesses: Promise<ReadonlyMap<number, AccessesTwice>>;
  readonly opponents: Promise<ReadonlyMap<number, readonly number[]>>;
  readonly links: Promise<readonly Link[]>;
}

/** Wraps a store so that `ahead` fetches what will be read about memories in one round trip. */
export function askingAhead(store: Store): Store {
  const { conflicts, listings, memories } = store;
  let asked: ReadAheadQuery | undefined;
  const askedFor = (ids: readonly number[]) =>
    asked !== undefined && ids.every((id) => asked?.ids.has(id)) ? asked : undefined;
  return {
    ...store,
    ahead(ids, now, earlier) {
      if (ids.length === 0) return;
      asked = {
        ids: new Set(ids),
        ...{ now, earlier },
        accesses: memories.accesses(ids, now, earlier),
        opponents: conflicts.opponents(ids),
        links: listings.links(ids),
      };
      // A failure is thrown where the value is used.
      for (const answer of [asked.accesses, asked.opponents, asked.links]) answer.catch(() => undefined);
    },
    memories: {
      ...memories,
      async accesses(ids, now, earlier) {
        const known = askedFor(ids);
        const isSame = known && known.now.getTime() === now.getTime() && known.earlier.getTime() === earlier.getTime();
        return isSame ? of(await known.accesses, ids) : memories.accesses(ids, now, earlier);
      },
    },
    conflicts: {
      ...conflicts,
      async opponents(ids) {
        const known = askedFor(ids);
        return known ? of(await known.opponents, ids) : conflicts.opponents(ids);
      },
    },
    listings: {
      ...listings,
      async links(ids) {
        const known = askedFor(ids);
        if (!known) return listings.links(ids);
        const ends = new Set(ids);
        return (await known.links).filter(({ from, to }) => ends.has(from) || ends.has(to));
      },
    },
  };
}

function of<T>(all: ReadonlyMap<number, T>, ids: readonly number[]): ReadonlyMap<number, T> {
  return new Map(ids.flatMap((id) => (all.has(id) ? [[id, all.get(id) as T] as const] : [])));
}
