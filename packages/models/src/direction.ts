/** A vector made 1 long, in place; undefined where all of it is zero. */
export function normalised(vector: Float32Array): Float32Array | undefined {
  let square = 0;
  for (const x of vector) square += x * x;
  if (square === 0) return undefined;
  const norm = Math.sqrt(square);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / norm;
  return vector;
}

/** Pseudorandom direction for a text of which nothing is known: near to the same text and to no other. */
export function directionOf(text: string, dimensions: number): Float32Array {
  let state = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x85ebca6b);
  const vector = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    state ^= state >>> 13;
    vector[at] = state & 1 ? 1 : -1;
  }
  return normalised(vector) as Float32Array;
}
