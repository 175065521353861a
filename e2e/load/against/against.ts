import { loadavg } from "node:os";
import { ROOT } from "../../support/process.ts";
import { buildCommit, commitOf, nameOfCheckout, shortName } from "./commit.ts";
import type { Measure } from "./measure.ts";
import { compileOnce } from "./memories.ts";
import { prompts } from "./prompts.ts";
import { recalls } from "./recalls.ts";
import { type Comparison, comparisonTable } from "./report.ts";
import { besideRival, fetchRival } from "./rival.ts";
import type { AgainstSettings } from "./settings.ts";
import { sideAt } from "./side.ts";
import { firstStarts, idle, initialize, starts } from "./starts.ts";
import { writes } from "./writes.ts";

const MEASURES: Readonly<Record<string, Measure>> = {
  write: writes,
  recall: recalls,
  start: starts,
  idle,
  hook: prompts,
  initialize,
  "first-start": firstStarts,
};

export const MEASURE_NAMES = Object.keys(MEASURES);

/** Measures a commit and this checkout in turns, and prints each table as soon as it is complete. */
export async function against(
  { ref, measures, sizes, rounds, hasRival }: AgainstSettings,
  workDir: string,
  print: (table: string) => void,
): Promise<Record<string, Comparison[]>> {
  const commit = commitOf(ref);
  console.error(`chest: building ${shortName(commit)}`);
  const [theirs, ours] = [await buildCommit(commit), await sideAt(ROOT, nameOfCheckout())];
  for (const side of [theirs, ours]) await compileOnce(side, workDir);
  const comparisons: Record<string, Comparison[]> = {};
  for (const name of measures) {
    const busy = (loadavg()[0] ?? 0).toFixed(1);
    console.error(`chest: measuring ${name} of ${theirs.name} and of this, in turns (load ${busy} before)`);
    const measured = await (MEASURES[name] as Measure)({ theirs, ours, rounds, sizes, workDir });
    comparisons[name] = measured;
    print(comparisonTable(measured, theirs.name, ours.name));
  }
  const rival = hasRival ? await fetchRival(workDir) : undefined;
  if (rival) {
    console.error(`chest: measuring ${rival.name} and this, in turns`);
    comparisons.rival = await besideRival(rival, { theirs, ours, rounds, sizes, workDir });
    print(comparisonTable(comparisons.rival, rival.name, ours.name));
  }
  return comparisons;
}
