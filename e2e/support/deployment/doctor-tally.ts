import { expect } from "vitest";

/** Result of one check, as `doctor --json` prints it. */
export interface Finding {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly fix_hint: string;
}

/** Checks that the reports of a test file contained, by how they ended. */
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

  /** Fails unless each of these checks was in a report, complained, and was well in a later report. */
  expectTried(ids: readonly string[]): void {
    expect(ids.filter((id) => !this.#known.has(id))).toEqual([]);
    expect(ids.filter((id) => !this.#complained.has(id))).toEqual([]);
    expect(ids.filter((id) => !this.#mended.has(id))).toEqual([]);
  }
}
