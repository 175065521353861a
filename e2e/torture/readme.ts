import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { thisMachine } from "../support/deployment/machine.ts";
import { markdownTable } from "../support/markdown.ts";
import type { Guard, Part } from "./part.ts";
import type { PartResult } from "./rig.ts";

/** A part with its results. */
export interface Line {
  readonly part: Part;
  /** Undefined when only the guards were tried; then the figures stay as they are. */
  readonly tried: PartResult | undefined;
  /** Each guard with the fault that showed its absence. */
  readonly guards: NoticedGuard[];
}

export interface NoticedGuard {
  readonly guard: Guard;
  readonly fault: string | undefined;
}

const README = join(import.meta.dirname, "README.md");

/** Formats the result for a terminal. */
export function lineOf(part: Part, { rounds, seconds, figures, faults }: PartResult): string {
  const shown = Object.entries(figures).map(([name, value]) => `${spoken(value)} ${name}`);
  const verdict = faults.length === 0 ? "holds" : `${faults.length} faults`;
  return `${part.name}: ${verdict}; ${[`${spoken(rounds)} ${part.counted}`, ...shown].join(", ")}; ${seconds} s`;
}

/** Writes a part's figures into the README, replacing earlier ones. */
export function writeLine(line: Line): void {
  const { name } = line.part;
  const block = new RegExp(`(<!-- ${name}: written by the rig -->\n)([\\s\\S]*?)(<!-- /${name} -->)`);
  const readme = readFileSync(README, "utf8");
  const [, head = "", body = "", tail = ""] = block.exec(readme) ?? [];
  if (head === "") throw new Error(`e2e/torture/README.md has no place for ${name}`);
  writeFileSync(
    README,
    readme.replace(block, () => `${head}${blockOf(line, body)}${tail}`),
  );
}

function blockOf({ part, tried, guards }: Line, before: string): string {
  const paragraphs = [
    sentence(part.does),
    part.holds.map(({ says }, at) => `${at + 1}. ${sentence(says)}`).join("\n"),
    tried === undefined ? figuresIn(before) : figuresOf(part, tried),
    ...(guards.length === 0 ? [] : [guardsTable(part, guards)]),
  ];
  return ["", ...paragraphs.flatMap((each) => [each, ""]), ""].join("\n");
}

function figuresOf(part: Part, { rounds, seconds, figures }: PartResult): string {
  const shown = Object.entries({ [part.counted]: rounds, ...figures });
  const table = markdownTable([shown.map(([name]) => name), shown.map(([, value]) => spoken(value))], () => "right");
  return [...table, "", `${day()}, ${seconds} s, ${thisMachine()}`].join("\n");
}

/** Finds the present table of figures, with the line of its date. */
const figuresIn = (block: string): string => /^\|[\s\S]*?\n\d{4}-\d\d-\d\d, .*$/m.exec(block)?.[0] ?? "";

function guardsTable({ holds }: Part, missed: readonly NoticedGuard[]): string {
  const rows = missed.map(({ guard, fault = "" }) => {
    const at = holds.findIndex(({ guards }) => guards.includes(guard));
    return [String(at + 1), guard.name, fault.replaceAll("|", "\\|")];
  });
  return markdownTable([["of", "without", "is noticed as"], ...rows], () => "left").join("\n");
}

/** Formats a table like this repository's formatter; the first row is the heading. */
const day = () => new Date().toISOString().slice(0, 10);
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const spoken = (value: number | string) => (typeof value === "number" ? value.toLocaleString("en") : value);
