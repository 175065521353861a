import { seeded } from "../support/random.ts";
import { mean } from "./measures.ts";

/** Difference between two rankings of the same questions. */
export interface Difference {
  readonly questions: number;
  /** Mean of now − before. */
  readonly mean: number;
  /** 95 % confidence interval of the mean, by bootstrap over the questions. */
  readonly from: number;
  readonly to: number;
  /** Probability of so large a difference in either direction by chance. */
  readonly p: number;
}

const ROUNDS = 10_000;

/** Compares by a paired randomisation test (random signs per question) and a paired bootstrap, with a fixed seed. */
export function compare(before: readonly number[], now: readonly number[]): Difference {
  const differences = now.map((x, at) => x - (before[at] ?? 0));
  const found = mean(differences);
  const random = seeded(1);
  // Questions without a difference, which are most, do not affect the random signs.
  const moved = differences.filter((x) => x !== 0);
  const least = Math.abs(found * differences.length) - 1e-9;
  let asGreat = 0;
  const means: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let flipped = 0;
    for (const x of moved) flipped += random() < 0.5 ? x : -x;
    if (Math.abs(flipped) >= least) asGreat += 1;
    let drawn = 0;
    for (let n = 0; n < differences.length; n++) drawn += differences[Math.floor(random() * differences.length)] ?? 0;
    means.push(drawn / Math.max(1, differences.length));
  }
  means.sort((a, b) => a - b);
  const at = (share: number) => means[Math.floor(share * (ROUNDS - 1))] ?? 0;
  return {
    questions: differences.length,
    mean: found,
    from: at(0.025),
    to: at(0.975),
    p: (asGreat + 1) / (ROUNDS + 1),
  };
}
