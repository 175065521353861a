const BINS = 1024;
/** Bin of each row, reused by the next question. */
let room = new Uint16Array(0);

/**
 * Yields ids by falling score, then by id, in groups: the first has about `size` rows, each next one twice as many.
 * Rows are first binned by score, so that few of many are sorted.
 */
export function* heaviestFirst(
  rows: Uint32Array,
  /** Scores by id, not by position. */
  scores: Float32Array,
  size: number,
): Generator<number[]> {
  let best = 0;
  for (const id of rows) best = Math.max(best, scores[id] ?? 0);
  const scale = BINS / best;
  if (room.length < rows.length) room = new Uint16Array(Math.ceil(1.25 * rows.length));
  const bins = room;
  const counts = new Uint32Array(BINS);
  for (let at = 0; at < rows.length; at++) {
    const bin = Math.min(BINS - 1, Math.floor((scores[rows[at] as number] ?? 0) * scale));
    bins[at] = bin;
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
    for (let at = 0; at < rows.length; at++) {
      const bin = bins[at] as number;
      if (bin >= from && bin < above) group.push(rows[at] as number);
    }
    if (group.length > 0) yield group.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
    above = from;
  }
}
