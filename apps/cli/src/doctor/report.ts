import { type OwnName, typedHere } from "@chest/runtime/own-name";
import type { ExitCode } from "../terminal/command-context.ts";
import type { Result } from "./check.ts";

type Summary = Record<Result["status"], number>;

/** The document of `--json`. */
export interface DoctorReport {
  readonly subcommand: string;
  readonly started_at: string;
  readonly finished_at: string;
  readonly results: readonly Result[];
  readonly summary: Summary;
  readonly exit_code: ExitCode;
}

/** @param name how this command line is called here: every command can be run as it is written. */
export function reportOf(subcommand: string, startedAt: Date, results: readonly Result[], name: OwnName): DoctorReport {
  const summary: Summary = { ok: 0, warn: 0, fail: 0, skip: 0 };
  for (const { status } of results) summary[status]++;
  return {
    subcommand,
    started_at: startedAt.toISOString(),
    finished_at: new Date().toISOString(),
    results: results.map((result) => ({
      ...result,
      message: typedHere(result.message, name),
      fix_hint: typedHere(result.fix_hint, name),
    })),
    summary,
    exit_code: summary.fail > 0 ? 2 : summary.warn > 0 ? 1 : 0,
  };
}

/** The same for a person. */
export function linesOf({ subcommand, results, summary, exit_code }: DoctorReport): string[] {
  const { ok, warn, fail, skip } = summary;
  return [
    `chest-index doctor ${subcommand}`,
    "",
    ...results.flatMap(({ id, title, status, message, fix_hint }) => [
      `[${status}] ${id} ${title}`,
      ...message.split("\n").map((line) => `    ${line}`),
      ...(fix_hint ? [`    fix: ${fix_hint}`] : []),
    ]),
    "",
    `Summary: ok=${ok} warn=${warn} fail=${fail} skip=${skip}`,
    `Exit code: ${exit_code}`,
  ];
}
