import { type Endpoint, endpoints } from "@chest/contracts";
import { type Caller, noticeBlock, noticesFor } from "@chest/core/access";
import type { Call, HostPorts } from "@chest/core/executor";
import {
  failureHookInput,
  fileHookInput,
  onFailure,
  onFile,
  onPreCompact,
  onPrompt,
  onSessionEnd,
  onSessionStart,
  PREVIEW_FIELDS,
  previewHooks,
  promptHookInput,
  readWork,
  sessionId,
  sessionInput,
  sessionStartInput,
} from "@chest/core/hooks";
import type { Engine, Store } from "@chest/core/ports";
import { promptRecallInput, recallForPrompt } from "@chest/core/recall";
import { readFields, type ToolPorts } from "@chest/core/tool";
import { captureMemoryFiles, memoryFilesInput } from "@chest/core/transcript";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Once } from "../idempotent.ts";
import { callOf, writeCallOf } from "../plugins/caller.ts";
import type { Wording } from "../wording.ts";
import { PROJECT_HEADER, serve } from "./define-route.ts";

export interface HookOptions {
  readonly engine: Pick<Engine, "as" | "access">;
  readonly ports: HostPorts;
  readonly once: Once;
  /** Undefined when no language model rewrites the summaries that rules made. */
  readonly wording?: Pick<Wording, "sessionEnded" | "sessionStarted"> | undefined;
}

const sessionParam = z.object({ sessionId: sessionId() });

/** Routes for hooks, which are programs beside an agent and not its tools. */
export function hookRoutes(app: FastifyInstance, { engine, ports, once, wording }: HookOptions): void {
  function reads<I extends z.ZodObject, R extends z.ZodType>(
    endpoint: Endpoint<R>,
    input: I,
    run: (fields: z.output<I>, ports: ToolPorts, caller: Caller, call: Call) => Promise<z.input<R>>,
  ): void {
    serve(
      app,
      endpoint,
      async (request, reply) => {
        const call = callOf(request, reply);
        const fields = readFields(input, request.body);
        return run(fields, { ...ports, store: engine.as(call), signal: call.signal }, call.caller, call);
      },
      { body: input, headers: PROJECT_HEADER },
    );
  }

  function writes<I extends z.ZodObject, R extends z.ZodType>(
    endpoint: Endpoint<R>,
    op: string,
    input: I,
    run: (fields: z.output<I>, store: Store, caller: Caller, call: Call) => Promise<z.input<R>>,
  ): void {
    serve(
      app,
      endpoint,
      async (request, reply) => {
        const fields = readFields(input, request.body);
        return once(writeCallOf(request, reply), (call) =>
          run(fields, engine.as({ ...call, request: { tool: op, input: null } }), call.caller, call),
        );
      },
      { body: input, headers: PROJECT_HEADER },
    );
  }

  reads(endpoints.hookRecall, promptRecallInput, recallForPrompt);
  reads(endpoints.hookPrompt, promptHookInput, onPrompt);
  reads(endpoints.hookPreEdit, fileHookInput, onFile);
  reads(endpoints.hookPostTool, failureHookInput, onFailure);
  reads(endpoints.hookSessionStart, sessionStartInput, async (fields, about, caller, call) => {
    const [answer, lines] = await Promise.all([
      onSessionStart(fields, about, caller),
      noticesFor(caller, engine.access, ports.clock),
    ]);
    if (fields.source === "startup") wording?.sessionStarted(call);
    const notice = noticeBlock(lines);
    if (notice === undefined) return answer;
    return { ...answer, context: ["context" in answer ? answer.context : "", notice].filter(Boolean).join("\n") };
  });
  serve(
    app,
    endpoints.hookPreview,
    async (request, reply) => previewHooks(request.body, callOf(request, reply), { engine, ports }),
    { body: PREVIEW_FIELDS, headers: PROJECT_HEADER },
  );
  writes(endpoints.hookPreCompact, "precompact", sessionInput, onPreCompact);
  writes(endpoints.hookSessionEnd, "session-end", sessionInput, async (fields, store, caller, call) => {
    const answer = await onSessionEnd(fields, store, caller);
    wording?.sessionEnded(call, fields.session_id);
    return answer;
  });
  writes(endpoints.memoryFiles, "memory-files", memoryFilesInput, async (fields, store, caller) => {
    const { clock, embedSoon, limits } = ports;
    const taking = { store, clock, embedSoon, contentChars: limits.contentChars };
    const report = await captureMemoryFiles(fields, taking, caller);
    return { ok: true as const, ...report };
  });
  serve(
    app,
    endpoints.workSnapshot,
    async (request, reply) => {
      const store = engine.as(callOf(request, reply));
      return readWork(readFields(sessionParam, request.params).sessionId, store);
    },
    { params: sessionParam, headers: PROJECT_HEADER },
  );
}
