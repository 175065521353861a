import type { ExitCode } from "../terminal/command-context.ts";
import type { Output } from "../terminal/output.ts";
import type { Change } from "./settings-files/edit-file.ts";

/**
 * Outcome of one part of an installation. `left`: it is the user's own by now, and stays. `skipped`: it does not fit
 * here.
 */
export interface Step {
  readonly step: string;
  readonly outcome: Change | "checked" | "left" | "skipped" | "failed";
  /** The file it is about. */
  readonly path?: string;
  readonly note?: string;
  readonly hint?: string;
}

export const exitCodeOf = (steps: readonly Step[]): ExitCode => {
  if (steps.some(({ outcome }) => outcome === "failed")) return 2;
  return steps.some(({ outcome }) => outcome === "left") ? 1 : 0;
};

/** Writes one line for each part, then what to do about the parts that failed. */
export function sayStep(output: Output, { step, outcome, path, note, hint }: Step, isDry: boolean): void {
  const done = isDry && (outcome === "added" || outcome === "updated" || outcome === "removed");
  const words = [step, path, note && `(${note})`].filter(Boolean).join("  ");
  output.say(`${(done ? `would be ${outcome}` : outcome).padEnd(isDry ? 17 : 10)} ${words}`);
  if (hint) output.hint(hint);
}

/** The document of `--json`. */
export const documentOf = (steps: readonly Step[], isDry: boolean) => ({
  dry_run: isDry,
  steps,
  exit_code: exitCodeOf(steps),
});
