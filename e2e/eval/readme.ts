import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Abstention, Row } from "./evaluate.ts";
import type { Pair } from "./pairs.ts";
import { abstentions, comparisons, table } from "./print.ts";

const README = join(import.meta.dirname, "README.md");
const BLOCK = /(<!-- figures: written by `npm run eval -- --write` -->\n)[\s\S]*?(\n<!-- \/figures -->)/;

/** Fewest questions over which a figure is meaningful. */
const FEWEST = 10;

/** Writes the figures of the part without tuning into the documentation page. */
export function writeFigures(
  vectors: string,
  rows: readonly Row[],
  held: readonly Pair[],
  idle: readonly Abstention[],
): void {
  const page = readFileSync(README, "utf8");
  if (!BLOCK.test(page)) throw new Error("e2e/eval/README.md has no place for the figures");
  const day = new Date().toISOString().slice(0, 10);
  const reported = rows
    // Figures of `rarest` are shown in the comparisons instead.
    .filter(({ part, leg, measures }) => part === "report" && leg !== "rarest" && measures.questions >= FEWEST)
    .map(({ change: _, ...row }) => row);
  const pairs = held.filter(({ part }) => part === "report");
  const text = [
    `${day}, vectors: ${vectors}.`,
    table(reported),
    comparisons(pairs),
    ...(idle.length > 0 ? [abstentions(idle)] : []),
  ].join("\n\n");
  writeFileSync(
    README,
    page.replace(BLOCK, (_, head, tail) => `${head}\n${text}\n${tail}`),
  );
}
