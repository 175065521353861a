const BINS = 1024;

/**
 * Ids by falling score, then by id, in groups: the first holds about `size` rows, each next one twice as many, down to
 * the last. Rows are binned by score first, so that few of many are ever sorted.
 */
export function* heaviestFirst(
  rows: Uint32Array,
  /** By id, not by place. */
  scores: Float32Array,
  size: number,
): Generator<number[]> {
  let best = 0;
  for (const id of rows) best = Math.max(best, scores[id] ?? 0);
  const binOf = (id: number) => Math.min(BINS - 1, Math.floor(((scores[id] ?? 0) / best) * BINS));
  const counts = new Uint32Array(BINS);
  for (const id of rows) {
    const bin = binOf(id);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  let above = BINS;
  for (let wanted = size; above > 0; wanted *= 2) {
    let from = above;
    for (let count = 0; from > 0 && count < wanted; ) {
      from -= 1;
      count += counts[from] ?? 0;
    }
    const group: number[] = [];
    for (const id of rows) {
      const bin = binOf(id);
      if (bin >= from && bin < above) group.push(id);
    }
    if (group.length > 0) yield group.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
    above = from;
  }
}
