import { type OwnName, typedHere } from "@chest/runtime/own-name";
import type { ExitCode } from "../terminal/command-context.ts";
import type { Output } from "../terminal/output.ts";
import type { Result } from "./check.ts";

type Summary = Record<Result["status"], number>;

/** Document printed by `--json`. */
export interface DoctorReport {
  readonly subcommand: string;
  readonly started_at: string;
  readonly finished_at: string;
  readonly results: readonly Result[];
  readonly summary: Summary;
  readonly exit_code: ExitCode;
}

/** @param name name of this command line, so that printed commands can be pasted. */
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

const COLOURS = { fail: "red", warn: "yellow", ok: "green", skip: "dim" } as const;

/** Prints the report: failures first, then warnings, then the rest in order. */
export function tell({ subcommand, results, summary, exit_code }: DoctorReport, output: Pick<Output, "show">): void {
  const { ok, warn, fail, skip } = summary;
  output.show(`chest-index doctor ${subcommand}`, "bold");
  output.show("");
  const well = results.filter(({ status }) => status === "ok" || status === "skip");
  const [failed, warned] = (["fail", "warn"] as const).map((which) => results.filter(({ status }) => status === which));
  for (const { id, title, status, message, fix_hint } of [...(failed ?? []), ...(warned ?? []), ...well]) {
    output.show(`[${status}] ${id} ${title}`, COLOURS[status]);
    for (const line of message.split("\n")) output.show(`    ${line}`, status === "skip" ? "dim" : undefined);
    if (fix_hint) output.show(`    fix: ${fix_hint}`, "cyan");
  }
  output.show("");
  const worst = fail > 0 ? "fail" : warn > 0 ? "warn" : "ok";
  output.show(`Summary: ok=${ok} warn=${warn} fail=${fail} skip=${skip}`, COLOURS[worst]);
  output.show(`Exit code: ${exit_code}`);
}
