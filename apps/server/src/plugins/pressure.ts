import { ChestError } from "@chest/contracts";
import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";

const RETRY_AFTER_MS = 2000;
const SETTLING_MS = 5000;

/**
 * Turns work away while the event loop is stalled. For the scope of the tools only: health must answer then.
 * @param settlingMs time after the start to listen in which nothing is turned away: loading itself stalls a backend on a busy
 * machine, which is no sign of too much work
 */
export async function addPressure(
  app: FastifyInstance,
  { maxEventLoopDelayMs = 1000, settlingMs = SETTLING_MS } = {},
): Promise<void> {
  let settlesAt = 0;
  app.addHook("onListen", async () => {
    settlesAt = performance.now() + settlingMs;
  });
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: 500,
    pressureHandler: async () => {
      if (performance.now() < settlesAt) return;
      throw new ChestError("UNAVAILABLE", "this backend is overloaded: nothing was done", {
        hint: "wait as long as `retry_after_ms` says",
        details: { retry_after_ms: RETRY_AFTER_MS },
      });
    },
  });
}
