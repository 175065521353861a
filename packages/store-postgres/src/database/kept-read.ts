// Longer than a call takes as a rule. A store that is used for longer reads anew.
const KEPT_MS = 250;

/** A read that one call needs at each of its statements, sent once for those in short order. */
export class KeptRead<T> {
  readonly #read: () => Promise<T>;
  #kept: { readonly value: Promise<T>; readonly until: number } | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  now(): Promise<T> {
    if (this.#kept && performance.now() < this.#kept.until) return this.#kept.value;
    return this.keep(this.#read());
  }

  /** Keeps what was read in another way. */
  keep(value: Promise<T>): Promise<T> {
    this.#kept = { value, until: performance.now() + KEPT_MS };
    value.catch(() => this.forget());
    return value;
  }

  /** Reads anew from now on: the call itself has changed it. */
  forget(): void {
    this.#kept = undefined;
  }
}
