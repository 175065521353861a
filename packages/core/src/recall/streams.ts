/** Iterates without closing the source, so that one reader may stop and another continue. */
export async function* iterate<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

export async function* chain<T>(first: AsyncIterable<T> | Iterable<T>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
