/** One line of the report. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "µs" | "ms" | "/s" | "MB" | "%" | "tokens" | "";
  /** Lower bound, measured in the same run and unit. */
  readonly floor?: number;
  readonly ratio?: number;
  /** Processor time per request or start, over all threads of the measured process. */
  readonly cpuMs?: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** The command fails when a binding goal is missed. */
  readonly goal?: { readonly text: string; readonly isMet: boolean; readonly isBinding?: boolean };
}

export const atMost = (limit: number, value: number, text: string) => ({ text: `≤ ${text}`, isMet: value <= limit });
export const atLeast = (limit: number, value: number, text: string) => ({ text: `≥ ${text}`, isMet: value >= limit });

const HEADINGS = ["", "measured", "floor", "ratio", "CPU each", "p50", "p95", "goal", ""];
const TEXT_COLUMNS = new Set([0, HEADINGS.length - 2, HEADINGS.length - 1]);

/** Formats the figures as a text table, one line each. */
export function table(figures: readonly Figure[]): string {
  return aligned([HEADINGS, ...figures.map(cells)], TEXT_COLUMNS);
}

/** Aligns rows of cells: text columns to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[], textColumns: ReadonlySet<number>): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    textColumns.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

function cells({ name, value, unit, floor, ratio, cpuMs, p50Ms, p95Ms, goal }: Figure): string[] {
  return [
    name,
    `${short(value)} ${unit}`.trimEnd(),
    floor === undefined ? "" : `${short(floor)} ${unit}`,
    ratio === undefined ? "" : `× ${short(ratio)}`,
    ...[cpuMs, p50Ms, p95Ms].map((ms) => (ms === undefined ? "" : `${short(ms)} ms`)),
    goal?.text ?? "",
    goal === undefined ? "" : goal.isMet ? "met" : "not met",
  ];
}

/** Formats a value with three significant digits. */
export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
