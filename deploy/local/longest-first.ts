import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const ROOT = join(import.meta.dirname, "../..");

/** Seconds that each test file took when the list was last written, by its path in the repository. */
const STORED = join(ROOT, "deploy/local/test-seconds.json");
/** Guess for a file that is not in the list, which has those of a second and more. */
const SHORT_SECONDS = 0.5;

/**
 * Starts the longest files first, so that no worker waits at the end for a long one. Files of under a second, and new ones,
 * come last. Files of lanes come in the order in which their lanes reach them, so that each worker keeps to a lane.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = specifications.toSorted((a, b) => secondsOf(b) - secondsOf(a));
    const reached = new Map<string, number>();
    const starts = new Map<TestSpecification, number>();
    for (const file of sorted) {
      const { lane } = file.project.config.provide as { readonly lane?: string };
      if (lane === undefined) continue;
      const start = reached.get(lane) ?? 0;
      starts.set(file, start);
      reached.set(lane, start + secondsOf(file));
    }
    return sorted.toSorted((a, b) => (starts.get(a) ?? -1) - (starts.get(b) ?? -1));
  }
}

let stored: Readonly<Record<string, number>> | undefined;

/** Seconds that a test file takes, as far as is known. */
export function secondsOf({ moduleId }: Pick<TestSpecification, "moduleId">): number {
  stored ??= JSON.parse(readFileSync(STORED, "utf8")) as Readonly<Record<string, number>>;
  return stored[nameOf(moduleId)] ?? SHORT_SECONDS;
}

/** Replaces the stored durations by those of a run of the whole suite. */
export function storeSeconds(files: readonly { readonly moduleId: string; readonly ms: number }[]): void {
  const rows = files.map(({ moduleId, ms }) => [nameOf(moduleId), Number((ms / 1000).toFixed(1))] as const);
  const sorted = rows.filter(([, seconds]) => seconds >= 1).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(STORED, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

export const nameOf = (moduleId: string): string => relative(ROOT, moduleId).replaceAll("\\", "/");
