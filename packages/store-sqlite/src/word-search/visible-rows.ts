import { boundOf, type Counting, keyOf, type RankedRows, type ScopePart, type UnpackedRows } from "@chest/core/recall";
import type { Samples } from "./samples.ts";
import type { WordIndex } from "./word-index.ts";

/** Number of visible rows above which a sample tells which terms are too frequent. */
export const SAMPLED_FROM = 4096;

/**
 * Rows that a query may find, with the counts, shares and averages for ranking. Other rows must have no effect, because
 * an answer could reveal their content.
 */
export class VisibleRows implements Counting, RankedRows {
  readonly rows: number;
  /** Mean length of a row in words. */
  readonly usualLength: number;
  /** 1 for allowed, 0 for other scopes, by number. */
  readonly allowed: Uint8Array;
  /** Parts that together contain all visible rows. */
  readonly parts: readonly ScopePart[];
  /** A term in more rows is too frequent to search. */
  readonly bound: number;
  readonly #index: WordIndex;
  readonly #samples: Samples;
  /** Whether the caller sees the whole store. */
  readonly #isAll: boolean;
  readonly #counted = new Map<string, number>();
  readonly #room: UnpackedRows;
  readonly #scopes: readonly string[];
  /** Scopes whose samples stand for all; chosen when the first term is counted. */
  #standIns: readonly number[] | undefined;

  constructor(index: WordIndex, samples: Samples, room: UnpackedRows, scopes: readonly string[]) {
    this.#index = index;
    this.#samples = samples;
    this.#room = room;
    this.#scopes = scopes;
    this.allowed = index.rows.flagsOf(scopes);
    this.parts = index.rows.partsOf(scopes) ?? [{ allowed: this.allowed }];
    const { rows, usualLength } = index.rows.sumOf(this.allowed);
    this.rows = rows;
    this.usualLength = usualLength;
    this.bound = boundOf(rows);
    this.#isAll = rows === index.rows.count;
  }

  /** Number of visible rows with a term; an estimate for very frequent terms in a large store. */
  holding(text: string, isGram: boolean): number {
    const key = keyOf(text, isGram);
    const known = this.#counted.get(key);
    if (known !== undefined) return known;
    const count = this.#sampled(key) ?? this.#exact(text, isGram);
    this.#counted.set(key, count);
    return count;
  }

  /** Indexed terms that an unknown word may be a misspelling of. */
  near(typed: string): readonly string[] {
    return this.#index.near(typed).filter((text) => this.holding(text, false) > 0);
  }

  /** Words in visible rows that are related to an unknown word. */
  akin(typed: string): readonly string[] {
    return this.#index.akin(typed, this.allowed).filter((text) => this.holding(text, false) > 0);
  }

  get #sampledScopes(): readonly number[] {
    this.#standIns ??= this.#samples.chosenOf(this.#scopes.map((scope) => this.#index.rows.numberOf(scope)));
    return this.#standIns;
  }

  /** Estimated number from samples; undefined if the term is not frequent enough. */
  #sampled(key: string): number | undefined {
    if (this.rows < this.#index.sampledFrom) return undefined;
    let [sampled, frequent] = [0, 0];
    for (const number of this.#sampledScopes) {
      const size = this.#index.rows.sizeOf(number);
      sampled += size;
      frequent += size * this.#samples.shareOf(number, key);
    }
    const count = Math.round((this.rows * frequent) / Math.max(1, sampled));
    return count > this.bound ? count : undefined;
  }

  #exact(text: string, isGram: boolean): number {
    const { changed } = this.#index;
    const { scopes } = this.#index.rows;
    const { allowed } = this;
    let count = 0;
    for (const id of this.#index.recentOf(text, isGram).ids) count += allowed[scopes[id] as number] === 1 ? 1 : 0;
    for (const part of this.parts) {
      const rows = this.#index.rowsOf(text, isGram, part.number);
      if (this.#isAll) {
        count += rows.length - (changed.size > 0 ? rows.among(this.#index.sortedChanged).size : 0);
        continue;
      }
      rows.unpack(this.#room);
      const { ids, length } = this.#room;
      for (let at = 0; at < length; at++) {
        const id = ids[at] as number;
        if (part.allowed[scopes[id] as number] === 1 && !changed.has(id)) count += 1;
      }
    }
    return count;
  }
}
