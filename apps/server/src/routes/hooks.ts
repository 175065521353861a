import { type Endpoint, endpoints } from "@chest/contracts";
import {
  type Engine,
  failureHookInput,
  fileHookInput,
  type HostPorts,
  onFailure,
  onFile,
  onPreCompact,
  onPrompt,
  onSessionEnd,
  onSessionStart,
  promptHookInput,
  promptRecallInput,
  readFields,
  readWork,
  recallForPrompt,
  type Store,
  sessionId,
  sessionInput,
  sessionStartInput,
  type ToolPorts,
} from "@chest/core";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { callOf } from "../caller.ts";
import { serve } from "../serve.ts";

export interface HookOptions {
  readonly engine: Pick<Engine, "as">;
  readonly ports: HostPorts;
}

const sessionParam = z.object({ sessionId: sessionId() });

/** What hooks ask, which are programs beside an agent and no tools of it. */
export function hookRoutes(app: FastifyInstance, { engine, ports }: HookOptions): void {
  function reads<I extends z.ZodObject, R extends z.ZodType>(
    endpoint: Endpoint<R>,
    input: I,
    run: (asked: z.output<I>, ports: ToolPorts) => Promise<z.input<R>>,
  ): void {
    serve(
      app,
      endpoint,
      async (request, reply) => {
        const call = callOf(request, reply);
        return run(readFields(input, request.body), { ...ports, store: engine.as(call), signal: call.signal });
      },
      { body: input },
    );
  }

  function writes<R extends z.ZodType>(
    endpoint: Endpoint<R>,
    op: string,
    run: (asked: z.output<typeof sessionInput>, store: Store) => Promise<z.input<R>>,
  ): void {
    serve(
      app,
      endpoint,
      async (request, reply) => {
        // It may write more than once, and a repeat does no harm.
        const { idempotencyKey: _, ...call } = callOf(request, reply);
        const asked = readFields(sessionInput, request.body);
        return run(asked, engine.as({ ...call, request: { tool: op, input: null } }));
      },
      { body: sessionInput },
    );
  }

  reads(endpoints.hookRecall, promptRecallInput, recallForPrompt);
  reads(endpoints.hookPrompt, promptHookInput, onPrompt);
  reads(endpoints.hookPreEdit, fileHookInput, onFile);
  reads(endpoints.hookPostTool, failureHookInput, onFailure);
  reads(endpoints.hookSessionStart, sessionStartInput, onSessionStart);
  writes(endpoints.hookPreCompact, "precompact", onPreCompact);
  writes(endpoints.hookSessionEnd, "session-end", onSessionEnd);
  serve(
    app,
    endpoints.workSnapshot,
    async (request, reply) => {
      const store = engine.as(callOf(request, reply));
      return readWork(readFields(sessionParam, request.params).sessionId, store);
    },
    { params: sessionParam },
  );
}
