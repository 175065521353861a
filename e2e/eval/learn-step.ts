import { dot } from "@chest/core/embedding";
import type { QuestionStep } from "@chest/models";

/** A question's vector and the vector of the memory that answers it. */
export interface AnsweredVector {
  readonly question: Float32Array;
  readonly answer: Float32Array;
}

/**
 * Weight of the regression's penalty. With the other two chosen with the set that is asked left out of the learning: the
 * same from 5 to 30.
 */
const PENALTY = 10;
/** Share of the regression's step that is taken, against its shrinking by the penalty; the same from .9 to 1.7. */
const SHARE = 1.27;
/** Number of directions that are kept. Half as many find .01 less. */
const RANK = 64;
const ROUNDS = 30;

/** Learns the map from questions to what their answers differ by: a ridge regression, cut to its strongest directions. */
export function learnStep(pairs: readonly AnsweredVector[]): QuestionStep {
  const steps = pairs.map(({ question, answer }) => Float64Array.from(answer, (x, at) => x - (question[at] as number)));
  const likeness = pairs.map((one, i) =>
    Float64Array.from(pairs, (other, j) => dot(one.question, other.question) + (i === j ? PENALTY : 0)),
  );
  const solved = solve(likeness, steps);
  const map = (vector: Float32Array) =>
    sumOf(
      solved,
      pairs.map(({ question }) => dot(question, vector)),
    );
  const back = (vector: Float32Array) =>
    sumOf(
      pairs.map(({ question }) => question),
      solved.map((row) => row.reduce((sum, x, at) => sum + x * (vector[at] as number), 0)),
    );
  const dimensions = pairs[0]?.question.length ?? 0;
  let from = orthogonal(
    Array.from({ length: RANK }, (_, nth) =>
      Float32Array.from({ length: dimensions }, (__, at) => Math.sin(1 + 0.7 * at * (nth + 1))),
    ),
  );
  for (let round = 0; round < ROUNDS; round++) from = orthogonal(from.map((vector) => back(map(vector))));
  return { from, to: from.map((vector) => map(vector).map((x) => SHARE * x)) };
}

function sumOf(rows: readonly (Float32Array | Float64Array)[], weights: readonly number[]): Float32Array {
  const sum = new Float64Array(rows[0]?.length ?? 0);
  for (const [nth, row] of rows.entries())
    for (let at = 0; at < sum.length; at++)
      sum[at] = (sum[at] as number) + (weights[nth] as number) * (row[at] as number);
  return Float32Array.from(sum);
}

/** The vectors made orthogonal to the ones before and 1 long (Gram and Schmidt). */
function orthogonal(vectors: readonly Float32Array[]): Float32Array[] {
  const done: Float32Array[] = [];
  for (const vector of vectors) {
    const left = Float32Array.from(vector);
    for (const other of done) {
      const share = dot(left, other);
      for (let at = 0; at < left.length; at++) left[at] = (left[at] as number) - share * (other[at] as number);
    }
    const length = Math.sqrt(dot(left, left));
    done.push(left.map((x) => x / length));
  }
  return done;
}

/** Solves a symmetric positive system for several right sides, by Cholesky's factors. Both arguments are overwritten. */
function solve(matrix: readonly Float64Array[], right: readonly Float64Array[]): readonly Float64Array[] {
  const at = (row: number, column: number) => (matrix[row] as Float64Array)[column] as number;
  const take = (from: number, share: number, of: number) => {
    const [target, source] = [right[from] as Float64Array, right[of] as Float64Array];
    for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) - share * (source[i] as number);
  };
  const divide = (row: number) => {
    const target = right[row] as Float64Array;
    for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) / at(row, row);
  };
  const size = matrix.length;
  for (let column = 0; column < size; column++)
    for (let row = column; row < size; row++) {
      let sum = at(row, column);
      for (let k = 0; k < column; k++) sum -= at(row, k) * at(column, k);
      (matrix[row] as Float64Array)[column] = row === column ? Math.sqrt(sum) : sum / at(column, column);
    }
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < row; k++) take(row, at(row, k), k);
    divide(row);
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let k = row + 1; k < size; k++) take(row, at(k, row), k);
    divide(row);
  }
  return right;
}
