import { randomUUID } from "node:crypto";
import { ChestError, endpoints, HEADERS } from "@chest/contracts";
import { type Call, type Executor, type Next, type Stage, throughStages } from "@chest/core/executor";
import type { ResourceReader } from "@chest/core/resources";
import { type AnyTool, isObject } from "@chest/core/tool";
import { isWrite } from "@chest/core/wraps";
import type { z } from "zod";
import type { Backend } from "./backend.ts";
import type { KnownCapabilities } from "./capabilities.ts";

/** Runs tools on a backend, behind stages. A write is repeated only where its key is known to be honoured. */
export function remoteExecutor(
  tools: readonly AnyTool[],
  backend: Backend,
  capabilities: KnownCapabilities,
  ...stages: readonly Stage[]
): Executor {
  const send: Next = async ({ tool, input, call }) => {
    const spoken = await capabilities.current();
    const isKeyed = call.idempotencyKey !== undefined && spoken?.features.includes("idempotency") === true;
    try {
      const { result } = await backend.call(endpoints.tool, {
        parts: { tool: tool.name },
        body: isObject(input) ? takenBy(spoken?.features ?? [], tool, input) : (input ?? {}),
        headers: headersOf(call),
        signal: call.signal,
        isRepeatable: !isWrite(tool, input) || isKeyed,
      });
      return result;
    } catch (error) {
      if (error instanceof ChestError && error.code === "CLIENT_TOO_OLD") capabilities.forget();
      throw error;
    }
  };
  return throughStages(tools, send, ...stages);
}

/** Leaves out arguments of features that the backend does not have, since it refuses unknown arguments. */
function takenBy(features: readonly string[], { input: { shape } }: AnyTool, input: object): object {
  const isTaken = (name: string) => {
    const { feature } = (Object.hasOwn(shape, name) && (shape[name] as z.ZodType).meta()) || {};
    return typeof feature !== "string" || features.includes(feature);
  };
  return Object.fromEntries(Object.entries(input).filter(([name]) => isTaken(name)));
}

/** Headers that state a call's client, project and session. */
export function headersOf({
  requestId,
  idempotencyKey,
  traceparent,
  caller: { project, client },
}: Call): Record<string, string> {
  return {
    [HEADERS.requestId]: requestId,
    ...(idempotencyKey === undefined ? {} : { [HEADERS.idempotencyKey]: idempotencyKey }),
    ...(traceparent === undefined ? {} : { [HEADERS.traceparent]: traceparent }),
    ...(project === undefined ? {} : { [HEADERS.project]: encodeURIComponent(project) }),
    ...(client.session === undefined ? {} : { [HEADERS.session]: client.session }),
  };
}

/** Gives every writing call its key, once, outside of the stages that repeat or keep it. */
export const keyed: Stage = (asked, next) =>
  next(isWrite(asked.tool, asked.input) ? { ...asked, call: { idempotencyKey: randomUUID(), ...asked.call } } : asked);

/** Reads resources on a backend. */
export const remoteResources = (backend: Backend): ResourceReader => ({
  read: (uri, call) =>
    backend.call(endpoints.resource, { query: { uri }, headers: headersOf(call), signal: call.signal }),
});
