import type { Store, Writes } from "../ports/store.ts";

class Rehearsed extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super("a rehearsal is undone");
    this.result = result;
  }
}

/** Runs work as a real run would, reports its result, and rolls everything back. */
export async function rehearse<T>(write: Store["write"], work: (tx: Writes) => Promise<T>): Promise<T> {
  try {
    return await write<never>(async (tx) => {
      throw new Rehearsed(await work(tx));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}
