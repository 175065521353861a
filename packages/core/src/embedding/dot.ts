/** Product of two vectors of one length: their cosine where both are normalised. Two sums at once do not wait for each other. */
export function dot(a: Float32Array, b: Float32Array): number {
  let [even, odd] = [0, 0];
  for (let at = 0; at < a.length; at += 2) {
    even += (a[at] ?? 0) * (b[at] ?? 0);
    odd += (a[at + 1] ?? 0) * (b[at + 1] ?? 0);
  }
  return even + odd;
}
