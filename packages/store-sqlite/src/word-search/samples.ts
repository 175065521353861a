import { keyOf, type TextRow, tokensIn } from "@chest/core/recall";
import type { Connection } from "../database/connection.ts";
import type { RowTable } from "./row-lengths.ts";
import { hashOfTerm, spread, TermCounts } from "./term-counts.ts";

/** Rows of a scope in its sample. */
const SAMPLED = 512;
/** Terms in a smaller share of the sample are not kept. */
const LEAST_SHARE = 0.05;
/** Number of cached samples. */
const MOST_KEPT = 256;
/** Memory of all cached samples: one of ordinary memories takes a third of a megabyte. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Sampled rows that suffice for a caller: they tell a share of .2 to within .01. */
const ENOUGH_ROWS = 4096;
/** Scopes that are sampled for a caller at most: several callers' samples fit the cache, and do not drive each other out. */
const MOST_SCOPES = 64;

interface Sample {
  /** Hashes of each row's terms. */
  readonly rows: Map<number, Int32Array>;
  /** Number of rows with a term. */
  readonly counts: TermCounts;
  /** Rows with a smaller hash belong to the sample. */
  bound: number;
  /** Rows of it that were changed, or have left the scope. */
  readonly changed: Set<number>;
  /** Whether rows came that belong to it. */
  isIncomplete: boolean;
}

/**
 * Estimates which terms are frequent in a scope from a sample, because counting in a store of a million rows takes too
 * long. The sample has the rows with the smallest hashes, so that it depends only on the rows of its scope. A change
 * of a scope makes only the changed rows be read again: in a scope of five thousand rows one new row in ten belongs to
 * the sample.
 */
export class Samples {
  readonly #connection: Connection;
  readonly #rows: RowTable;
  /** Samples by the number of a scope, in the order of their last use. */
  readonly #kept = new Map<number, Sample>();

  constructor(connection: Connection, rows: RowTable) {
    this.#connection = connection;
    this.#rows = rows;
  }

  /** The largest of these scopes, as many as a good estimate takes: a caller may see more than the cache holds. */
  chosenOf(scopes: readonly number[]): number[] {
    const chosen: number[] = [];
    let rows = 0;
    for (const scope of scopes.toSorted((a, b) => this.#rows.sizeOf(b) - this.#rows.sizeOf(a))) {
      if (rows >= ENOUGH_ROWS || chosen.length >= MOST_SCOPES) break;
      chosen.push(scope);
      rows += Math.min(SAMPLED, this.#rows.sizeOf(scope));
    }
    return chosen;
  }

  /** Share of a scope's rows with a term; 0 if it is not frequent. */
  shareOf(scope: number, key: string): number {
    const { counts, rows } = this.#of(scope);
    const count = counts.of(hashOfTerm(key));
    return count >= LEAST_SHARE * rows.size ? count / rows.size : 0;
  }

  /** Updates the samples after a row was added to, changed in, or removed from a scope. */
  note(scope: number, id: number): void {
    const sample = this.#kept.get(scope);
    if (!sample) return;
    if (sample.rows.has(id)) sample.changed.add(id);
    else if (spread(id) < sample.bound) sample.isIncomplete = true;
  }

  clear(): void {
    this.#kept.clear();
  }

  #of(scope: number): Sample {
    const sample = this.#kept.get(scope) ?? newSample();
    if (sample.isIncomplete || sample.changed.size > 0) this.#renew(scope, sample);
    this.#kept.delete(scope);
    this.#kept.set(scope, sample);
    return sample;
  }

  #renew(scope: number, sample: Sample): void {
    const { rows, counts, changed } = sample;
    const { ids, bound } = lowest(this.#rows.scopes, scope, this.#rows.sizeOf(scope));
    const wanted = new Set(ids);
    for (const [id, hashes] of rows) {
      if (wanted.has(id) && !changed.has(id)) continue;
      for (const hash of hashes) counts.add(hash, -1);
      rows.delete(id);
    }
    const missing = ids.filter((id) => !rows.has(id));
    for (const id of missing) rows.set(id, NO_TERMS);
    for (const { memory_id: id, ...text } of this.#connection.all<Text>(TEXTS, JSON.stringify(missing))) {
      const hashes = termsOf(text);
      for (const hash of hashes) counts.add(hash, 1);
      rows.set(id, hashes);
    }
    changed.clear();
    sample.isIncomplete = false;
    sample.bound = bound;
    this.#shrink(sample);
  }

  /** Discards the samples that were not used for longest. */
  #shrink(renewed: Sample): void {
    let bytes = bytesOf(renewed);
    for (const sample of this.#kept.values()) if (sample !== renewed) bytes += bytesOf(sample);
    for (const [scope, sample] of this.#kept) {
      if (bytes <= MOST_BYTES && this.#kept.size < MOST_KEPT) return;
      if (sample === renewed) continue;
      this.#kept.delete(scope);
      bytes -= bytesOf(sample);
    }
  }
}

const NO_TERMS = new Int32Array(0);

const newSample = (): Sample => ({
  rows: new Map(),
  counts: new TermCounts(),
  bound: 0,
  changed: new Set(),
  isIncomplete: true,
});

function bytesOf({ rows, counts }: Sample): number {
  let { bytes } = counts;
  for (const hashes of rows.values()) bytes += hashes.byteLength;
  return bytes;
}

const HASHES = 2 ** 32;
/** Reads more rows than needed, because hashes are random. */
const SPARE = 1.5;

/** The rows of a scope whose ids have the smallest hashes. */
function lowest(scopes: Uint32Array, scope: number, size: number) {
  if (size <= SAMPLED) return { ids: within(scopes, scope, HASHES).map(({ id }) => id), bound: HASHES };
  for (let share = (SPARE * SAMPLED) / size; ; share *= 2) {
    const found = within(scopes, scope, share * HASHES);
    if (found.length < SAMPLED && share < 1) continue;
    const taken = found.sort((a, b) => a.hash - b.hash).slice(0, SAMPLED);
    return { ids: taken.map(({ id }) => id), bound: taken.at(-1)?.hash ?? HASHES };
  }
}

function within(scopes: Uint32Array, scope: number, below: number): { id: number; hash: number }[] {
  const found: { id: number; hash: number }[] = [];
  for (let id = 0; id < scopes.length; id++) {
    if (scopes[id] !== scope) continue;
    const hash = spread(id);
    if (hash < below) found.push({ id, hash });
  }
  return found;
}

type Text = TextRow & { readonly memory_id: number };

/** Hashes of a row's terms, each once. */
function termsOf({ title, tags, words, grams }: TextRow): Int32Array {
  const hashes = new Set<number>();
  const note = (tokens: readonly string[], isGram: boolean) => {
    for (const token of tokens) hashes.add(hashOfTerm(keyOf(token, isGram)));
  };
  const named = tokensIn(`${title} ${tags}`);
  note(named, false);
  note(named, true);
  note(tokensIn(words), false);
  note(tokensIn(grams), true);
  return Int32Array.from(hashes);
}

const TEXTS = `SELECT memory_id, title, tags, words, grams FROM memory_text
  WHERE memory_id IN (SELECT value FROM json_each(?))`;
