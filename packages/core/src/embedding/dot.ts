/**
 * Dot product of two vectors of the same length: their cosine if both are normalised. Two independent sums let the
 * processor work in parallel.
 */
export function dot(a: Float32Array, b: Float32Array): number {
  let [even, odd] = [0, 0];
  for (let at = 0; at < a.length; at += 2) {
    even += (a[at] ?? 0) * (b[at] ?? 0);
    odd += (a[at + 1] ?? 0) * (b[at + 1] ?? 0);
  }
  return even + odd;
}
