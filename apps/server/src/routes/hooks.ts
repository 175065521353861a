import { endpoints } from "@chest/contracts";
import { type Engine, type HostPorts, promptRecallInput, readFields, recallForPrompt } from "@chest/core";
import type { FastifyInstance } from "fastify";
import { callOf } from "../caller.ts";
import { serve } from "../serve.ts";

export interface HookOptions {
  readonly engine: Pick<Engine, "as">;
  readonly ports: HostPorts;
}

/** What hooks ask, which are programs beside an agent and no tools of it. */
export function hookRoutes(app: FastifyInstance, { engine, ports }: HookOptions): void {
  serve(
    app,
    endpoints.hookRecall,
    async (request, reply) => {
      const call = callOf(request, reply);
      const asked = readFields(promptRecallInput, request.body);
      return recallForPrompt(asked, { ...ports, store: engine.as(call), signal: call.signal });
    },
    { body: promptRecallInput },
  );
}
