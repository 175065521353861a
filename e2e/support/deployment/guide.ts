import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../process.ts";

export interface Fence {
  /** Second-level heading above the code block; empty before the first. */
  readonly section: string;
  readonly language: string;
  /**
   * Second word of the info string, which names who runs the shell commands. Without it, `npm-start.test.ts` runs them
   * unchanged in a clone. `deployed`: a suite that reads them with `commandsOf`. `by-hand`: a person, because they need
   * root, a container, another host, a download or a program that is not installed.
   */
  readonly runner: string;
  readonly code: string;
}

const FENCE_OR_HEADING = /^## (.+)$|^ *```(\S*)(?: +(.*))?\n([\s\S]*?)^ *```$/gm;

/** Reads the code blocks of a document, in order. */
export function fencesOf(document: string): Fence[] {
  const fences: Fence[] = [];
  let section = "";
  for (const [, heading, language = "", runner = "", code] of readFileSync(join(ROOT, document), "utf8").matchAll(
    FENCE_OR_HEADING,
  )) {
    if (heading !== undefined) section = heading;
    else fences.push({ section, language, runner, code: code ?? "" });
  }
  return fences;
}

/** Reads the commands that one section of a guide in `docs` leaves to a suite, block by block. */
export function commandsOf(guide: string, section: string): string[] {
  const blocks = fencesOf(`docs/${guide}`)
    .filter((fence) => fence.section === section && fence.language === "sh" && fence.runner === "deployed")
    .map(({ code }) => code);
  if (blocks.length === 0) throw new Error(`no commands under "${section}" in ${guide}`);
  return blocks;
}
