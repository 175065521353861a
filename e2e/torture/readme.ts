import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { thisMachine } from "../support/machine.ts";
import { markdownTable } from "../support/markdown.ts";
import type { Part } from "./part.ts";
import type { Tried } from "./rig.ts";

/** A part with what came out of it. */
export interface Line {
  readonly part: Part;
  readonly tried: Tried;
  /** Each guard with the fault that told of its absence. */
  readonly guards: { name: string; fault: string | undefined }[];
}

const README = join(import.meta.dirname, "README.md");

/** The same for a terminal. */
export function linesOf({ part, tried: { rounds, seconds, figures, faults } }: Line): string[] {
  const shown = Object.entries(figures).map(([name, value]) => `${spoken(value)} ${name}`);
  const verdict = faults.length === 0 ? "holds" : `${faults.length} faults`;
  return [`${part.name}: ${verdict}; ${[`${spoken(rounds)} ${part.counted}`, ...shown].join(", ")}; ${seconds} s`];
}

/** Puts a part's figures into the README, in the place of those that it had. */
export function writeLine(line: Line): void {
  const { name } = line.part;
  const block = new RegExp(`(<!-- ${name}: written by the rig -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  const readme = readFileSync(README, "utf8");
  if (!block.test(readme)) throw new Error(`e2e/torture/README.md has no place for ${name}`);
  writeFileSync(
    README,
    readme.replace(block, (_, head, tail) => `${head}${blockOf(line)}${tail}`),
  );
}

function blockOf({ part, tried: { rounds, seconds, figures }, guards }: Line): string {
  const shown = Object.entries({ [part.counted]: rounds, ...figures });
  return [
    "",
    sentence(part.does),
    "",
    ...part.holds.map((each) => `- ${sentence(each)}`),
    "",
    ...markdownTable([shown.map(([name]) => name), shown.map(([, value]) => spoken(value))], () => "right"),
    "",
    `${day()}, ${seconds} s, ${thisMachine()}`,
    ...(guards.length === 0
      ? []
      : ["", ...markdownTable([["without", "is noticed as"], ...guards.map(cellsOf)], () => "left")]),
    "",
    "",
  ].join("\n");
}

const cellsOf = ({ name, fault = "" }: Line["guards"][number]) => [name, fault.replaceAll("|", "\\|")];

/** As the formatter of this repository would have it; the first row is the heading. */
const day = () => new Date().toISOString().slice(0, 10);
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const spoken = (value: number | string) => (typeof value === "number" ? value.toLocaleString("en") : value);
