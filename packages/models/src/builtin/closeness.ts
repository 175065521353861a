import { dot } from "@chest/core/embedding";
import type { Closeness, Passage } from "@chest/core/ports";
import { borrowedBy } from "@chest/core/recall";
import type { Table } from "./table.ts";
import { rowsOf } from "./terms.ts";

/** UTF-16 units of a text that are compared: a memory says at its beginning what it is about. */
const READ = 600;
/**
 * Most characters of a question that are compared. A longer one is a paste, and each of its terms would be compared
 * with all terms of every text.
 */
const READ_OF_QUESTION = 1200;

/**
 * How near texts come to a question: by the cosine of the two sums of terms, and by the late interaction of ColBERT (Khattab
 * and Zaharia 2020, MaxSim), each of the question's terms counting by the length of its vector. What is compared once is
 * kept for all texts of a question. Undefined for a question of unknown terms.
 */
export function closenessOf(question: string, passages: readonly Passage[], table: Table): Closeness[] | undefined {
  const rows = rowsIn(question.slice(0, READ_OF_QUESTION), table);
  const terms = termsOf(rows, table);
  const weight = terms.reduce((sum, { length }) => sum + length, 0);
  if (weight === 0) return undefined;
  const asked = sumOf(rows, table);
  const cosinesOf = memoized(cosinesTo(terms, table));
  const read = memoized((text: string) => {
    const its = rowsIn(text.slice(0, READ), table);
    return { its, best: highest(new Set(its), cosinesOf, terms.length) };
  });
  return passages.map(({ text, lenders = [] }) => {
    const { its, best: own } = read(text);
    const best = Float32Array.from(own);
    for (const lender of lenders) {
      const share = lender.share * borrowedBy(its.length);
      const { best: lent } = read(lender.text);
      for (let at = 0; at < best.length; at++) best[at] = Math.max(best[at] as number, share * (lent[at] as number));
    }
    const byTerm = terms.reduce((sum, { length }, at) => sum + length * (best[at] as number), 0) / weight;
    return { cosine: cosine(asked, sumOf(its, table)), byTerm };
  });
}

/** The function, asked once for each value. */
function memoized<K, V>(of: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const now = of(key);
    known.set(key, now);
    return now;
  };
}

/** A term of a question: its vector made 1 long, and how long it was, times how often it occurs. What stands in any text has a short one. */
interface Term {
  readonly vector: Float64Array;
  readonly length: number;
}

function rowsIn(text: string, { index }: Table): number[] {
  const rows: number[] = [];
  rowsOf(text, index, rows);
  return rows;
}

/** Each of the terms once. */
function termsOf(rows: readonly number[], table: Table): Term[] {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  return [...counts].map(([row, count]) => {
    const { vector, length } = termOf(row, table);
    return { vector, length: count * length };
  });
}

function termOf(row: number, { dimensions, scales, numbers }: Table): Term {
  const vector = new Float64Array(numbers.subarray(row * dimensions, (row + 1) * dimensions));
  const length = Math.sqrt(vector.reduce((square, number) => square + number * number, 0));
  for (let at = 0; length > 0 && at < dimensions; at++) vector[at] = (vector[at] as number) / length;
  return { vector, length: length * (scales[row] as number) };
}

/** The cosine of a row of the table to each term. Terms are taken four at a time, so that a row is read once for all of them. */
function cosinesTo(terms: readonly Term[], { dimensions, numbers }: Table): (row: number) => Float32Array {
  const own = new Float64Array(dimensions);
  const none = new Float64Array(dimensions);
  const vectorAt = (at: number) => terms[at]?.vector ?? none;
  return (row) => {
    let square = 0;
    for (let at = 0, from = row * dimensions; at < dimensions; at++) {
      const number = numbers[from + at] as number;
      own[at] = number;
      square += number * number;
    }
    const cosines = new Float32Array(terms.length);
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let first = 0; first < terms.length; first += 4) {
      const [a, b, c, d] = [vectorAt(first), vectorAt(first + 1), vectorAt(first + 2), vectorAt(first + 3)];
      let [toA, toB, toC, toD] = [0, 0, 0, 0];
      for (let at = 0; at < dimensions; at++) {
        const number = own[at] as number;
        toA += (a[at] as number) * number;
        toB += (b[at] as number) * number;
        toC += (c[at] as number) * number;
        toD += (d[at] as number) * number;
      }
      // What lies behind the last term is not kept.
      cosines[first] = scale * toA;
      cosines[first + 1] = scale * toB;
      cosines[first + 2] = scale * toC;
      cosines[first + 3] = scale * toD;
    }
    return cosines;
  };
}

/** The highest cosine to each term of the question. */
function highest(rows: Iterable<number>, cosinesOf: (row: number) => Float32Array, count: number): Float32Array {
  const best = new Float32Array(count);
  for (const row of rows) {
    const cosines = cosinesOf(row);
    for (let at = 0; at < count; at++) {
      const cosine = cosines[at] as number;
      if (cosine > (best[at] as number)) best[at] = cosine;
    }
  }
  return best;
}

function sumOf(rows: readonly number[], { dimensions, scales, numbers }: Table): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const row of rows) {
    const [scale, from] = [scales[row] as number, row * dimensions];
    for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] as number) + scale * (numbers[from + at] as number);
  }
  return sum;
}

function cosine(a: Float32Array, b: Float32Array): number {
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths > 0 ? dot(a, b) / lengths : 0;
}
