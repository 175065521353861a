import { normalised } from "../direction.ts";

/**
 * Linear map of low rank that takes a question towards its answer: for each direction, how much the question has of `from` is how
 * far it goes along `to`.
 */
export interface QuestionStep {
  readonly from: readonly Float32Array[];
  readonly to: readonly Float32Array[];
}

/** Bytes before the numbers of a row: the size of one step of its 8-bit numbers. */
const SCALE_BYTES = 4;
const MOST = 127;

/** Map from the text that `writeQuestionStep` made of it; throws where it does not hold whole rows. */
export function readQuestionStep(stored: string, dimensions: number): QuestionStep {
  const bytes = Buffer.from(stored, "base64");
  const width = SCALE_BYTES + dimensions;
  const count = bytes.length / width;
  if (count % 2 !== 0) throw new Error(`the step of questions does not hold pairs of ${dimensions} numbers`);
  const rows = Array.from({ length: count }, (_, nth) => {
    const scale = bytes.readFloatLE(nth * width);
    return Float32Array.from(
      { length: dimensions },
      (__, at) => scale * bytes.readInt8(nth * width + SCALE_BYTES + at),
    );
  });
  return { from: rows.slice(0, count / 2), to: rows.slice(count / 2) };
}

/** Map as text: first the rows of `from`, then those of `to`, at a byte a number. */
export function writeQuestionStep({ from, to }: QuestionStep): string {
  const rows = [...from, ...to].map((row) => {
    const scale = row.reduce((peak, x) => Math.max(peak, Math.abs(x)), 0) / MOST;
    const bytes = Buffer.alloc(SCALE_BYTES + row.length);
    bytes.writeFloatLE(scale);
    for (const [at, x] of row.entries()) bytes.writeInt8(scale > 0 ? Math.round(x / scale) : 0, SCALE_BYTES + at);
    return bytes;
  });
  return Buffer.concat(rows).toString("base64");
}

/** Takes a question's vector towards its answer, and restores its length of 1. */
export function towardsAnswer(question: Float32Array, { from, to }: QuestionStep): Float32Array {
  const result = Float32Array.from(question);
  for (const [nth, direction] of from.entries()) {
    let share = 0;
    for (let at = 0; at < question.length; at++) share += (question[at] as number) * (direction[at] as number);
    const target = to[nth] as Float32Array;
    for (let at = 0; at < result.length; at++) result[at] = (result[at] as number) + share * (target[at] as number);
  }
  return normalised(result) ?? question;
}
