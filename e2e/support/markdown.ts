type Side = "left" | "right";

/** Formats rows of cells, heads first, as lines of a table that the formatter does not change. */
export function markdownTable(rows: readonly (readonly string[])[], sideOf: (column: number) => Side): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const isLeft = (column: number) => sideOf(column) === "left";
  const padded = rows.map((row) =>
    line(row.map((cell, at) => (isLeft(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))),
  );
  const rule = line(widths.map((width, at) => (isLeft(at) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)));
  return padded.toSpliced(1, 0, rule);
}
