/**
 * Columns of numbers that share one buffer: an array of its own for each takes longer to be made, sent to another thread
 * and collected than to be read.
 */
export function columns<N extends number>(count: N, rows: number): Columns<N> {
  const all = new Float64Array(count * rows);
  return Array.from({ length: count }, (_, at) => all.subarray(at * rows, (at + 1) * rows)) as unknown as Columns<N>;
}

type Columns<N extends number, T extends Float64Array[] = []> = T["length"] extends N
  ? T
  : Columns<N, [...T, Float64Array]>;
