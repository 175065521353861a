/** Measurement of a series of equal requests. */
export interface Sample {
  readonly requests: number;
  readonly wallMs: number;
  /** Processor time of the measured process, over all its threads; 0 where it was not measured. */
  readonly cpuMs: number;
  /** Duration of each request. */
  readonly tookMs: readonly number[];
}

/** Runs contestants in turns (A, B, A, B, …), so that a disturbance of the machine affects all of them. */
export async function interleaved<Name extends string, Took = Sample>(
  rounds: number,
  contestants: Readonly<Record<Name, (round: number) => Promise<Took>>>,
): Promise<Record<Name, Took[]>> {
  const names = Object.keys(contestants) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as Took[]])) as Record<Name, Took[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples[name].push(await contestants[name](round));
  }
  return samples;
}

export const median = (values: readonly number[]): number => percentile(values, 50);

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share / 100) * (sorted.length - 1);
  const [below = Number.NaN, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}

export const wallEach = ({ wallMs, requests }: Sample): number => wallMs / requests;
export const cpuEach = ({ cpuMs, requests }: Sample): number => cpuMs / requests;
export const perSecond = ({ wallMs, requests }: Sample): number => (1000 * requests) / wallMs;

/** Computes the ratio of two measures in each round, and the median of the ratios. */
export function medianRatio(
  rounds: number,
  above: (round: number) => number,
  below: (round: number) => number,
): number {
  return median(Array.from({ length: rounds }, (_, round) => above(round) / below(round)));
}

/** Computes percentiles over the requests of all rounds. */
export function spread(samples: readonly Sample[]): { readonly p50Ms: number; readonly p95Ms: number } {
  const took = samples.flatMap(({ tookMs }) => tookMs);
  return { p50Ms: percentile(took, 50), p95Ms: percentile(took, 95) };
}
