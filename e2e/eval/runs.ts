import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

/** Ranks of each question's first right answer, by row of the table. */
const saved = z.strictObject({ places: z.record(z.string(), z.record(z.string(), z.int())) });
export type Run = z.output<typeof saved>;

export const writeRun = (file: string, run: Run): void => writeFileSync(file, `${JSON.stringify(run)}\n`);

export function readRun(file: string): Run {
  return saved.parse(JSON.parse(readFileSync(file, "utf8")));
}
