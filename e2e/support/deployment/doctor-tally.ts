import { expect } from "vitest";

/** Result of one check, as `doctor --json` prints it. */
export interface Finding {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly fix_hint: string;
}

/** Records the checks in the reports of a test file, by their results. */
export class DoctorTally {
  readonly #known = new Set<string>();
  readonly #complained = new Set<string>();
  readonly #mended = new Set<string>();

  count(results: readonly Finding[]): void {
    for (const { id, status } of results) {
      this.#known.add(id);
      if (status === "warn" || status === "fail") this.#complained.add(id);
      else if (status === "ok" && this.#complained.has(id)) this.#mended.add(id);
    }
  }

  get known(): readonly string[] {
    return [...this.#known];
  }

  /** Fails unless each of these checks was reported, failed or warned once, and was fine in a later report. */
  expectTried(ids: readonly string[]): void {
    expect(ids.filter((id) => !this.#known.has(id))).toEqual([]);
    expect(ids.filter((id) => !this.#complained.has(id))).toEqual([]);
    expect(ids.filter((id) => !this.#mended.has(id))).toEqual([]);
  }
}
