import { keyOf, type TextRow, tokensIn } from "@chest/core/recall";
import type { Connection } from "../database/connection.ts";
import type { RowTable } from "./row-lengths.ts";

/** Rows of a scope in its sample. */
const SAMPLED = 512;
/** Terms in a smaller share of the sample are not kept. */
const LEAST_SHARE = 0.05;
/** Number of cached samples. */
const MOST_KEPT = 64;

interface Sample {
  readonly ids: ReadonlySet<number>;
  /** Rows with a smaller hash belong to the sample. */
  readonly bound: number;
  /** Shares by a term's key. */
  readonly shares: ReadonlyMap<string, number>;
}

/**
 * Estimates which terms are frequent in a scope from a sample, because counting in a store of a million rows takes too
 * long. The sample has the rows with the smallest hashes, so that it depends only on the rows of its scope.
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

  /** Share of a scope's rows with a term; 0 if it is not frequent. */
  shareOf(scope: number, key: string): number {
    return this.#of(scope).shares.get(key) ?? 0;
  }

  /** Updates the samples after a row was added to, changed in, or removed from a scope. */
  note(scope: number, id: number): void {
    const sample = this.#kept.get(scope);
    if (sample && (sample.ids.has(id) || hashOf(id) < sample.bound)) this.#kept.delete(scope);
  }

  clear(): void {
    this.#kept.clear();
  }

  #of(scope: number): Sample {
    const known = this.#kept.get(scope);
    const sample = known ?? this.#take(scope);
    this.#kept.delete(scope);
    this.#kept.set(scope, sample);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return sample;
  }

  #take(scope: number): Sample {
    const { ids, bound } = lowest(this.#rows.scopes, scope, this.#rows.sizeOf(scope));
    const counts = new Map<string, number>();
    for (const row of this.#connection.all<TextRow>(TEXTS, JSON.stringify(ids)))
      for (const key of keysOf(row)) counts.set(key, (counts.get(key) ?? 0) + 1);
    const shares = new Map<string, number>();
    for (const [key, count] of counts) if (count >= LEAST_SHARE * ids.length) shares.set(key, count / ids.length);
    return { ids: new Set(ids), bound, shares };
  }
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
    const hash = hashOf(id);
    if (hash < below) found.push({ id, hash });
  }
  return found;
}

/** Spreads ids over 32 bits, each to a place of its own (the finaliser of MurmurHash3). */
function hashOf(id: number): number {
  let hash = id ^ (id >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function keysOf({ title, tags, words, grams }: TextRow): Set<string> {
  const [named, said, parts] = [tokensIn(`${title} ${tags}`), tokensIn(words), tokensIn(grams)];
  return new Set([
    ...[...named, ...said].map((token) => keyOf(token, false)),
    ...[...named, ...parts].map((token) => keyOf(token, true)),
  ]);
}

const TEXTS = "SELECT title, tags, words, grams FROM memory_text WHERE memory_id IN (SELECT value FROM json_each(?))";
