/**
 * How a check ended. Ok has nothing to mend; warn and fail name a command that mends it and can be run as written, where
 * this machine has one: otherwise the message says what is to be done where.
 */
export type Finding =
  | { readonly status: "ok" | "skip"; readonly message: string }
  | { readonly status: "warn" | "fail"; readonly message: string; readonly fix?: string | undefined };

/** One question that a doctor asks. */
export interface Check<Patient> {
  readonly id: string;
  readonly title: string;
  /** @param signal aborted when the check has taken too long. */
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

/** Runs the checks at once and reports in their order. One that throws or hangs has failed; the others go on. */
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
  /** Command that tells more where a check throws or hangs. */
  readonly again: string;
  /** Called with the number of checks that have ended. */
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
