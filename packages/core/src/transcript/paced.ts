import { setImmediate as breathe } from "node:timers/promises";
import type { EmptyLines } from "./lines.ts";

/** A line, or many empty ones at once. */
export type Line = string | EmptyLines;

// Each line takes a millisecond or less: other requests to this process are served in between.
const LINES_A_TURN = 50;
const CHARS_A_TURN = 128 * 1024;

/** Yields lines unchanged, but gives the event loop a turn after about a millisecond of reading. */
export async function* paced(lines: AsyncIterable<Line> | Iterable<Line>): AsyncGenerator<Line> {
  let read = 0;
  let chars = 0;
  for await (const line of lines) {
    yield line;
    read += 1;
    chars += charsOf(line);
    if (read < LINES_A_TURN && chars < CHARS_A_TURN) continue;
    read = 0;
    chars = 0;
    await breathe();
  }
}

export const textOf = (line: Line): string => (typeof line === "string" ? line : "");
export const countOf = (line: Line): number => (typeof line === "string" ? 1 : line.empty);
export const charsOf = (line: Line): number => (typeof line === "string" ? line.length : line.empty);
export const hasText = (line: Line): line is string => typeof line === "string" && line.trim() !== "";
