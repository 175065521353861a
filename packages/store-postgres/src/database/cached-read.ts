// Longer than a usual call; after that the value is read again.
const KEPT_MS = 250;

/** Caches a read that each statement of a call needs. */
export class CachedRead<T> {
  readonly #read: () => Promise<T>;
  #cached: { readonly value: Promise<T>; readonly until: number } | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  now(): Promise<T> {
    if (this.#cached && performance.now() < this.#cached.until) return this.#cached.value;
    return this.keep(this.#read());
  }

  /** Caches a value that was read in another way. */
  keep(value: Promise<T>): Promise<T> {
    this.#cached = { value, until: performance.now() + KEPT_MS };
    value.catch(() => this.forget());
    return value;
  }

  /** Reads again from now on, because the call has changed the value. */
  forget(): void {
    this.#cached = undefined;
  }
}
