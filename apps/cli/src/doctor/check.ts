/**
 * Result of a check. `ok` needs nothing; `warn` and `fail` carry a command that repairs the fault as written, or a
 * message that says what to do on another machine.
 */
export type Finding =
  | { readonly status: "ok" | "skip"; readonly message: string }
  | { readonly status: "warn" | "fail"; readonly message: string; readonly fix?: string | undefined };

/** A check of the doctor. */
export interface Check<Patient> {
  readonly id: string;
  readonly title: string;
  /** @param signal aborts when the check has taken too long. */
  run(inspected: Patient, signal: AbortSignal): Promise<Finding>;
}

export interface Result {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly status: Finding["status"];
  readonly message: string;
  readonly fix_hint: string;
  readonly duration_ms: number;
}

/**
 * Runs the checks concurrently and reports in their order. A check that throws or hangs has failed; the others go on.
 */
export function runChecks<Patient>(
  checks: readonly Check<Patient>[],
  inspected: Patient,
  { timeoutMs, again, onDone }: CheckOptions,
): Promise<Result[]> {
  let done = 0;
  return Promise.all(
    checks.map(async (check) => {
      const result = await runCheck(check, inspected, timeoutMs, again);
      onDone(++done);
      return result;
    }),
  );
}

interface CheckOptions {
  readonly timeoutMs: number;
  /** Command that shows details when a check throws or hangs. */
  readonly again: string;
  /** Called with the number of finished checks. */
  onDone(count: number): void;
}

async function runCheck<Patient>(
  check: Check<Patient>,
  inspected: Patient,
  timeoutMs: number,
  again: string,
): Promise<Result> {
  const { id, title } = check;
  const startedAt = performance.now();
  const finding = await findingOf(check, inspected, AbortSignal.timeout(timeoutMs), again);
  return {
    id,
    title,
    category: id.split(".").slice(0, 2).join("."),
    status: finding.status,
    message: finding.message,
    fix_hint: ("fix" in finding ? finding.fix : undefined) ?? "",
    duration_ms: Math.round(performance.now() - startedAt),
  };
}

async function findingOf<Patient>(
  check: Check<Patient>,
  inspected: Patient,
  signal: AbortSignal,
  fix: string,
): Promise<Finding> {
  const late = new Promise<Finding>((resolve) =>
    signal.addEventListener("abort", () => resolve({ status: "fail", message: "no answer in time", fix })),
  );
  try {
    return await Promise.race([check.run(inspected, signal), late]);
  } catch (error) {
    return { status: "fail", message: error instanceof Error ? error.message : String(error), fix };
  }
}
