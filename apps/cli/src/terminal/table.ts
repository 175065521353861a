import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

const GAP = 2;
// A narrower column would break every word.
const NARROWEST = 12;

/**
 * Formats rows as a table no wider than the terminal. Cells that are too wide are wrapped within the widest column, so
 * that nothing is cut off.
 */
export function tableLines(rows: readonly (readonly string[])[], columns: number): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...rows.map((row) => stringWidth(row[at] ?? ""))),
  );
  const total = () => widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, count - 1);
  for (let over = total() - columns; over > 0; over = total() - columns) {
    const widest = Math.max(...widths);
    const next = Math.max(NARROWEST, ...widths.filter((width) => width < widest));
    const narrowed = Math.max(next, widest - over, NARROWEST);
    // The table is too wide even with the narrowest columns, so each row is wrapped as plain text.
    if (narrowed >= widest) return rows.flatMap((row) => broken(row.filter(Boolean).join(" ".repeat(GAP)), columns));
    widths[widths.indexOf(widest)] = narrowed;
  }
  return rows.flatMap((row) => rowLines(row, widths));
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = widths.map((width, at) => broken(row[at] ?? "", width));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, at) => padded(lines[line] ?? "", widths[at] ?? 0))
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

const broken = (text: string, width: number): string[] =>
  width <= 0 ? [text] : wrapAnsi(text, width, { hard: true }).split("\n");

/** Pads by columns, since a Chinese, Japanese or Korean character takes two. */
const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - stringWidth(text)));
