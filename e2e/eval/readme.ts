import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Abstention, Row } from "./evaluate.ts";
import { abstentions, table } from "./print.ts";

const README = join(import.meta.dirname, "README.md");
const BLOCK = /(<!-- figures: written by `npm run eval -- --write` -->\n)[\s\S]*?(\n<!-- \/figures -->)/;

/** Puts the figures of the part that nothing is tuned on into the page about them. */
export function writeFigures(rows: readonly Row[], all: readonly Abstention[]): void {
  const page = readFileSync(README, "utf8");
  if (!BLOCK.test(page)) throw new Error("e2e/eval/README.md has no place for the figures");
  const day = new Date().toISOString().slice(0, 10);
  const reported = rows.filter(({ part }) => part === "report").map(({ change: _, ...row }) => row);
  const text = [`${day}, vectors of hashed grams:`, table(reported), abstentions(all)].join("\n\n");
  writeFileSync(
    README,
    page.replace(BLOCK, (_, head, tail) => `${head}\n${text}\n${tail}`),
  );
}
