import { borrowedBy, type Closeness, dot, type Passage } from "@chest/core";
import type { Table } from "./table.ts";
import { rowsOf } from "./terms.ts";

/** UTF-16 units of a text that are compared: a memory says at its beginning what it is about. */
const READ = 600;

/**
 * How near texts come to a question: by the cosine of the two sums of terms, and by the late interaction of ColBERT (Khattab
 * and Zaharia 2020, MaxSim), each of the question's terms counting by the length of its vector. What is compared once is
 * kept for all texts of a question. Undefined for a question of unknown terms.
 */
export function closenessOf(question: string, passages: readonly Passage[], table: Table): Closeness[] | undefined {
  const terms = rowsIn(question, table).map((row) => termOf(row, table));
  const weight = terms.reduce((sum, { length }) => sum + length, 0);
  if (weight === 0) return undefined;
  const asked = sumOf(terms, table.dimensions);
  const compared = kept((row: number): Compared => {
    const { vector, length } = termOf(row, table);
    const cosines = new Float32Array(terms.length);
    for (let at = 0; at < terms.length; at++) cosines[at] = dot((terms[at] as Term).vector, vector);
    return { vector, length, cosines };
  });
  const read = kept((text: string) => {
    const its = rowsIn(text.slice(0, READ), table).map(compared);
    return { its, best: highest(new Set(its), terms.length) };
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
    return { cosine: cosine(asked, sumOf(its, table.dimensions)), byTerm };
  });
}

/** The function, asked once for each value. */
function kept<K, V>(of: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const now = of(key);
    known.set(key, now);
    return now;
  };
}

/** A term: its vector made 1 long, and how long it was. What stands in any text has a short one. */
interface Term {
  readonly vector: Float32Array;
  readonly length: number;
}

interface Compared extends Term {
  /** To each term of the question. */
  readonly cosines: Float32Array;
}

function rowsIn(text: string, { index }: Table): number[] {
  const rows: number[] = [];
  rowsOf(text, index, rows);
  return rows;
}

function termOf(row: number, { dimensions, scales, numbers }: Table): Term {
  const vector = new Float32Array(numbers.subarray(row * dimensions, (row + 1) * dimensions));
  const length = Math.sqrt(dot(vector, vector));
  for (let at = 0; length > 0 && at < dimensions; at++) vector[at] = (vector[at] as number) / length;
  return { vector, length: length * (scales[row] as number) };
}

/** The highest cosine to each term of the question. */
function highest(terms: Iterable<Compared>, count: number): Float32Array {
  const best = new Float32Array(count);
  for (const { cosines } of terms)
    for (let at = 0; at < count; at++) {
      const cosine = cosines[at] as number;
      if (cosine > (best[at] as number)) best[at] = cosine;
    }
  return best;
}

function sumOf(terms: readonly Term[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const { vector, length } of terms)
    for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] as number) + length * (vector[at] as number);
  return sum;
}

function cosine(a: Float32Array, b: Float32Array): number {
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths > 0 ? dot(a, b) / lengths : 0;
}
