/** One thing to close, and how long it may take. */
export interface ClosingStep {
  readonly name: string;
  readonly limitMs: number;
  close(): Promise<void>;
  /** Ends the step when its time is over; a step without it then counts as failed. */
  force?(): void;
}

export interface ClosingLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Closes in order, each within its limit, and goes on after failures. False when one failed. */
export async function closeInOrder(steps: readonly ClosingStep[], log: ClosingLog): Promise<boolean> {
  let isClean = true;
  for (const step of steps) {
    const startedAt = performance.now();
    const outcome = await closeOne(step).catch((err: unknown) => {
      log.error({ step: step.name, err }, "closing failed");
      return "failed";
    });
    isClean &&= outcome !== "failed";
    log.info({ step: step.name, outcome, ms: Math.round(performance.now() - startedAt) }, "closed");
  }
  return isClean;
}

async function closeOne(step: ClosingStep): Promise<"closed" | "forced" | "failed"> {
  const over = Promise.withResolvers<"over">();
  const timer = setTimeout(() => over.resolve("over"), step.limitMs);
  try {
    const closing = step.close();
    if ((await Promise.race([closing, over.promise])) !== "over") return "closed";
    closing.catch(() => {}); // The time is over, and the outcome says so.
    step.force?.();
    return step.force ? "forced" : "failed";
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls `stop` on the first SIGTERM or SIGINT, or when the process that started this one over a channel is gone, and exits
 * with its code; a second signal exits at once.
 */
export function onStopSignal(stop: (reason: NodeJS.Signals | "disconnect") => Promise<number>): void {
  let isStopping = false;
  const end = async (reason: NodeJS.Signals | "disconnect") => {
    isStopping = true;
    process.exit(await stop(reason));
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      void end(signal);
    });
  }
  // Also fires when the parent was killed, because the system then closes its end of the channel.
  process.once("disconnect", () => {
    if (!isStopping) void end("disconnect");
  });
  // The parent may have died before this listener was added.
  if (process.send && !process.connected && !isStopping) void end("disconnect");
}
