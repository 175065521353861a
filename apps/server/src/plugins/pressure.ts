import { ChestError } from "@chest/contracts";
import type { FastifyInstance } from "fastify";

const RETRY_AFTER_MS = 2000;
const SETTLING_MS = 5000;
const LOOK_MS = 500;

/** Processor time of this thread. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Turns work away while the event loop is stalled by the backend's own work. A timer that is late because other programs
 * have the processor is no overload: only the time in which this thread worked counts. Queues with a wait of their own
 * (writes, searches, models) refuse by themselves. For the scope of the tools only: health must answer then.
 * @param settlingMs time after the start to listen in which nothing is turned away: loading itself stalls a backend
 */
export async function addPressure(
  app: FastifyInstance,
  { maxEventLoopDelayMs = 1000, settlingMs = SETTLING_MS } = {},
): Promise<void> {
  if (maxEventLoopDelayMs === 0) return;
  let settlesAt = 0;
  let lookedAt = performance.now();
  let workedBefore = workedMs();
  let stalledMs = 0;
  const stall = () => Math.min(performance.now() - lookedAt - LOOK_MS, workedMs() - workedBefore);
  const looking = setInterval(() => {
    stalledMs = stall();
    lookedAt = performance.now();
    workedBefore = workedMs();
  }, LOOK_MS).unref();
  app.addHook("onClose", async () => clearInterval(looking));
  app.addHook("onListen", async () => {
    settlesAt = performance.now() + settlingMs;
  });
  app.addHook("onRequest", async () => {
    if (stalledMs <= maxEventLoopDelayMs || performance.now() < settlesAt) return;
    throw new ChestError("UNAVAILABLE", "this backend is overloaded: nothing was done", {
      hint: "wait as long as `retry_after_ms` says",
      details: { retry_after_ms: RETRY_AFTER_MS },
    });
  });
}
