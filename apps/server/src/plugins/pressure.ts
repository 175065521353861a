import { ChestError } from "@chest/contracts";
import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";

const RETRY_AFTER_MS = 2000;

/** Turns work away while the event loop is stalled. For the scope of the tools only: health must answer then. */
export async function addPressure(app: FastifyInstance, { maxEventLoopDelayMs = 1000 } = {}): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: 500,
    pressureHandler: async () => {
      throw new ChestError("UNAVAILABLE", "this backend is overloaded: nothing was done", {
        hint: "wait as long as `retry_after_ms` says",
        details: { retry_after_ms: RETRY_AFTER_MS },
      });
    },
  });
}
