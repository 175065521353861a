import { endpoints } from "@chest/contracts";
import { noticeBlock, noticesFor } from "@chest/core/access";
import {
  failureHookInput,
  fileHookInput,
  onFailure,
  onFile,
  onPreCompact,
  onPrompt,
  onSessionEnd,
  onSessionStart,
  previewHooks,
  promptHookInput,
  readWork,
  sessionId,
  sessionInput,
  sessionStartInput,
} from "@chest/core/hooks";
import { defineOperation, type RouteOperation } from "@chest/core/operation";
import type { Pipeline } from "@chest/core/pipeline";
import { promptRecallInput, recallForPrompt } from "@chest/core/recall";
import { captureMemoryFiles, memoryFilesInput } from "@chest/core/transcript";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Wording } from "../wording.ts";
import { serveOperation } from "./define-route.ts";

/** Undefined when no language model rewrites the summaries that rules made. */
type Worded = Pick<Wording, "sessionEnded" | "sessionStarted"> | undefined;

/** Questions and notes of hooks, which are programs beside an agent and not its tools. */
const operations = (wording: Worded): readonly RouteOperation<unknown, unknown>[] => [
  defineOperation({
    endpoint: endpoints.hookRecall,
    body: promptRecallInput,
    run: ({ body }, ports) => recallForPrompt(body, ports),
  }),
  defineOperation({
    endpoint: endpoints.hookPrompt,
    body: promptHookInput,
    run: ({ body }, ports) => onPrompt(body, ports, ports.caller),
  }),
  defineOperation({
    endpoint: endpoints.hookPreEdit,
    body: fileHookInput,
    run: ({ body }, ports) => onFile(body, ports),
  }),
  defineOperation({
    endpoint: endpoints.hookPostTool,
    body: failureHookInput,
    run: ({ body }, ports) => onFailure(body, ports),
  }),
  defineOperation({
    endpoint: endpoints.hookSessionStart,
    body: sessionStartInput,
    async run({ body }, ports) {
      const { caller, engine, clock, call } = ports;
      const [answer, lines] = await Promise.all([
        onSessionStart(body, ports, caller),
        noticesFor(caller, engine.access, clock),
      ]);
      if (body.source === "startup") wording?.sessionStarted(call);
      const notice = noticeBlock(lines);
      if (notice === undefined) return answer;
      return { ...answer, context: ["context" in answer ? answer.context : "", notice].filter(Boolean).join("\n") };
    },
  }),
  previewHooks,
  defineOperation({
    endpoint: endpoints.hookPreCompact,
    body: sessionInput,
    writes: "precompact",
    run: ({ body }, { store, caller }) => onPreCompact(body, store, caller),
  }),
  defineOperation({
    endpoint: endpoints.hookSessionEnd,
    body: sessionInput,
    writes: "session-end",
    async run({ body }, { store, caller, call }) {
      const answer = await onSessionEnd(body, store, caller);
      wording?.sessionEnded(call, body.session_id);
      return answer;
    },
  }),
  defineOperation({
    endpoint: endpoints.memoryFiles,
    body: memoryFilesInput,
    writes: "memory-files",
    async run({ body }, { store, clock, embedSoon, limits, caller }) {
      const taking = { store, clock, embedSoon, contentChars: limits.contentChars };
      return { ok: true as const, ...(await captureMemoryFiles(body, taking, caller)) };
    },
  }),
  defineOperation({
    endpoint: endpoints.workSnapshot,
    params: z.object({ sessionId: sessionId() }),
    run: ({ params }, { store }) => readWork(params.sessionId, store),
  }),
];

/** Routes for hooks. */
export function hookRoutes(app: FastifyInstance, pipeline: Pick<Pipeline, "answer">, wording: Worded): void {
  for (const operation of operations(wording)) serveOperation(app, pipeline, operation);
}
