import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "../../support/markdown.ts";
import type { Cell } from "./cells.ts";
import type { Measured } from "./measure.ts";

/** Result of a cell, with the machine it was measured on. */
export interface Line extends Cell, Measured {
  readonly searchThreads: number;
  readonly seconds: number;
  /** Size of the store's files. */
  readonly diskMb: number;
  readonly machine: string;
  /** Load average of the machine before the cell. */
  readonly load: number;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

const FOLDER = join(import.meta.dirname, "..");
const DATA = join(FOLDER, "curve.json");
const README = join(FOLDER, "README.md");
const BLOCK = /(<!-- curve: written by `npm run bench -- curve --write` -->\n)[\s\S]*?(\n<!-- \/curve -->)/;

/** Writes the results into the committed figures, in place of earlier results of the same cells. */
export function writeLines(lines: readonly Line[]): void {
  const earlier: Line[] = existsSync(DATA) ? JSON.parse(readFileSync(DATA, "utf8")) : [];
  const all = new Map([...earlier, ...lines].map((line) => [keyOf(line), line]));
  const sorted = [...all.values()].sort(
    (a, b) => a.rows - b.rows || b.leg.localeCompare(a.leg) || b.scope.localeCompare(a.scope) || a.clients - b.clients,
  );
  writeFileSync(DATA, `${JSON.stringify(sorted, null, 2)}\n`);
  const readme = readFileSync(README, "utf8");
  if (!BLOCK.test(readme)) throw new Error("e2e/load/README.md has no place for the curve");
  writeFileSync(
    README,
    readme.replace(BLOCK, (_, head, tail) => `${head}\n${byMachine(sorted)}\n${tail}`),
  );
}

const keyOf = ({ rows, clients, scope, leg, searchThreads, machine }: Line) =>
  [rows, clients, scope, leg, searchThreads, machine].join("|");

const byMachine = (lines: readonly Line[]): string =>
  [...Map.groupBy(lines, ({ machine, day }) => `${machine}; ${day}`)]
    .map(([title, own]) => `${title}:\n\n${curveTable(own)}`)
    .join("\n\n");

const HEADS = [
  "memories",
  "leg",
  "scope",
  "clients",
  "threads",
  "recalls/s",
  "p50 ms",
  "p95 ms",
  "p99 ms",
  "CPU ms",
  "degraded",
  "refused",
  "writes/s",
  "/healthz p95 ms",
  "resident MB",
  "disk MB",
  "load before",
  "to reach",
];

/** Goals on two cores, with vectors of 1024 dimensions. */
const GOALS: Readonly<
  Record<string, { readonly cpuMs: number; readonly p95Ms: number; readonly residentMb?: number }>
> = {
  "100000 project": { cpuMs: 5, p95Ms: 50 },
  "100000 all": { cpuMs: 20, p95Ms: 150 },
  "1000000 project": { cpuMs: 30, p95Ms: 150, residentMb: 900 },
  "1000000 all": { cpuMs: 120, p95Ms: 700, residentMb: 900 },
};
const HEALTH_MS = 50;

function reached({ rows, scope, leg, clients, cpuMs, p95Ms, residentMb, healthP95Ms }: Line): string {
  const goals = GOALS[`${rows} ${scope}`];
  if (!goals || leg !== "hybrid") return "";
  const judged = [
    ["CPU", cpuMs, goals.cpuMs],
    ...(clients === 8 ? [["p95", p95Ms, goals.p95Ms] as const] : []),
    ["/healthz", healthP95Ms, HEALTH_MS],
    ...(goals.residentMb ? [["MB", residentMb, goals.residentMb] as const] : []),
  ] as const;
  return judged.map(([name, is, most]) => `${name} ≤ ${most}: ${is <= most ? "yes" : "**no**"}`).join(", ");
}

/** Formats the results as Markdown. */
export function curveTable(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.rows.toLocaleString("en"),
    line.leg,
    line.scope,
    String(line.clients),
    String(line.searchThreads),
    ...[line.perSecond, line.p50Ms, line.p95Ms, line.p99Ms, line.cpuMs].map(short),
    `${Math.round(100 * line.degraded)} %`,
    String(line.refused),
    short(line.writesPerSecond),
    ...[line.healthP95Ms, line.residentMb, line.diskMb, line.load].map(short),
    reached(line),
  ]);
  const words = new Set(["leg", "scope", "to reach"]);
  return markdownTable([HEADS, ...rows], (column) => (words.has(HEADS[column] ?? "") ? "left" : "right")).join("\n");
}

const short = (x: number): string => (x >= 100 ? x.toFixed(0) : x.toFixed(1));
