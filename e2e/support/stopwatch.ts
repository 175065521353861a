/** Measures work and remembers the slowest. */
export class Stopwatch {
  #count = 0;
  #slowest = { what: "nothing", ms: 0 };

  async time<T>(what: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const ms = performance.now() - startedAt;
      this.#count++;
      if (ms > this.#slowest.ms) this.#slowest = { what, ms };
    }
  }

  get slowestMs(): number {
    return this.#slowest.ms;
  }

  get summary() {
    return { requests: this.#count, "slowest ms": Math.round(this.#slowest.ms), by: this.#slowest.what };
  }
}
