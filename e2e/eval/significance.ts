import { seeded } from "../support/random.ts";
import { mean } from "./measures.ts";

/** How two rankings differ on the same questions. */
export interface Difference {
  readonly questions: number;
  /** Mean of now − before. */
  readonly mean: number;
  /** 95 % of the means of samples drawn anew from the questions lie between these. */
  readonly from: number;
  readonly to: number;
  /** How often chance alone gives so great a difference, either way. */
  readonly p: number;
}

const ROUNDS = 10_000;

/** A paired randomisation test (each question's sign by lot) and a paired bootstrap; the same figures every time. */
export function compare(before: readonly number[], now: readonly number[]): Difference {
  const differences = now.map((x, at) => x - (before[at] ?? 0));
  const found = mean(differences);
  const random = seeded(1);
  // Questions that came out the same decide nothing about the sign, and most did.
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
