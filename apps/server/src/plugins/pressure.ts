import { ChestError } from "@chest/contracts";
import type { FastifyInstance } from "fastify";

const RETRY_AFTER_MS = 2000;
const GRACE_MS = 5000;
const LOOK_MS = 500;

/** Reads the processor time of this thread. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Refuses requests while the backend's own work stalls the event loop. A timer that is late because other programs use
 * the processor is no overload, so only this thread's processor time counts. Queues for writes, searches and models
 * have limits of their own. The plugin is added for the tools only, because health checks must still be answered.
 * @param graceMs time after the start of listening in which nothing is refused, since loading stalls the event loop
 */
export async function addPressure(
  app: FastifyInstance,
  { maxEventLoopDelayMs = 1000, graceMs = GRACE_MS } = {},
): Promise<void> {
  if (maxEventLoopDelayMs === 0) return;
  let graceEndsAt = 0;
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
    graceEndsAt = performance.now() + graceMs;
  });
  app.addHook("onRequest", async () => {
    if (stalledMs <= maxEventLoopDelayMs || performance.now() < graceEndsAt) return;
    throw new ChestError("UNAVAILABLE", "this backend is overloaded: nothing was done", {
      hint: "wait as long as `retry_after_ms` says",
      details: { retry_after_ms: RETRY_AFTER_MS },
    });
  });
}
