import { aligned, short } from "../figures.ts";
import { cpuEach, median, perSecond, type Sample, wallEach } from "../rounds.ts";

/** Measurement of both sides, turn by turn. */
export interface Comparison {
  readonly name: string;
  readonly quantity: "CPU" | "rate" | "wall" | "memory";
  readonly unit: "ms" | "/s" | "MB";
  /** Undefined where the commit lacks the feature. */
  readonly theirs: readonly number[] | undefined;
  readonly ours: readonly number[];
}

/** Values of each turn; theirs are undefined where the commit lacks the feature. */
export interface Turns<T> {
  readonly theirs: readonly T[] | undefined;
  readonly ours: readonly T[];
}

/** Ratios of ours to theirs, each over two consecutive turns. */
export interface Ratio {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
  /**
   * Undefined within the noise: the ratios lie on both sides of 1, or their median is as near to 1 as two equal
   * programs differ.
   */
  readonly verdict: "better" | "worse" | undefined;
}

const LEAST_DIFFERENCE = 0.03;

export function ratioOf({ quantity, theirs, ours }: Comparison): Ratio | undefined {
  if (theirs === undefined) return undefined;
  const ratios = ours.map((value, turn) => value / (theirs[turn] ?? Number.NaN)).filter(Number.isFinite);
  if (ratios.length === 0) return undefined;
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)];
  const middle = median(ratios);
  const isClear = (lowest > 1 || highest < 1) && Math.abs(middle - 1) >= LEAST_DIFFERENCE;
  const isBetter = middle > 1 === (quantity === "rate");
  return { median: middle, lowest, highest, verdict: isClear ? (isBetter ? "better" : "worse") : undefined };
}

/** Processor time per request, and requests per second. */
export const ofRequests = (name: string, turns: Turns<Sample>): Comparison[] => [
  of(name, "CPU", "ms", turns, cpuEach),
  of("", "rate", "/s", turns, perSecond),
];

/** Processor time of a program, and the time that its user waits for it. */
export const ofPrograms = (name: string, turns: Turns<Sample>): Comparison[] => [
  of(name, "CPU", "ms", turns, cpuEach),
  of("", "wall", "ms", turns, wallEach),
];

export const ofMemory = (name: string, turns: Turns<number>): Comparison =>
  of(name, "memory", "MB", turns, (megabytes) => megabytes);

function of<T>(
  name: string,
  quantity: Comparison["quantity"],
  unit: Comparison["unit"],
  { theirs, ours }: Turns<T>,
  read: (turn: T) => number,
): Comparison {
  return { name, quantity, unit, theirs: theirs?.map(read), ours: ours.map(read) };
}

const TEXT_COLUMNS = new Set([0, 1, 6]);

/** Formats one line per comparison: both medians, their ratio, and the lowest and highest ratio of two turns. */
export function comparisonTable(comparisons: readonly Comparison[], theirName: string, ourName: string): string {
  const rows = comparisons.map((comparison) => {
    const { name, quantity, unit, theirs, ours } = comparison;
    const ratio = ratioOf(comparison);
    return [
      name,
      quantity,
      theirs === undefined ? "absent" : `${short(median(theirs))} ${unit}`,
      `${short(median(ours))} ${unit}`,
      ratio ? `× ${short(ratio.median)}` : "",
      ratio ? `${short(ratio.lowest)} to ${short(ratio.highest)}` : "",
      ratio?.verdict ?? "",
    ];
  });
  return aligned([["", "", theirName, ourName, "ratio", "of two turns", ""], ...rows], TEXT_COLUMNS);
}
