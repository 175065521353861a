/** One by one, so that one reader may stop and another go on. */
export async function* iterate<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

export async function* chain<T>(first: AsyncIterable<T> | Iterable<T>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
