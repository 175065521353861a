import type { Stage } from "@chest/core/executor";

/** Tracks running calls, so that the end of the program can wait for them. */
export class Running {
  readonly #calls = new Set<Promise<unknown>>();

  readonly stage: Stage = (request, next) => {
    const running = next(request);
    const settled: Promise<unknown> = running.catch(() => {}).then(() => this.#calls.delete(settled));
    this.#calls.add(settled);
    return running;
  };

  /** Resolves when no call is running, or at the time limit. */
  async settle(limitMs: number): Promise<void> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), limitMs);
    const late = new Promise((resolve) => over.signal.addEventListener("abort", resolve));
    while (this.#calls.size > 0 && !over.signal.aborted) await Promise.race([Promise.all(this.#calls), late]);
    clearTimeout(timer);
  }
}
