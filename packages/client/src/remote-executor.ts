import { ChestError, endpoints, HEADERS } from "@chest/contracts";
import { type AnyTool, type Call, type Executor, unknownTool } from "@chest/core";
import type { Backend } from "./backend.ts";
import type { KnownCapabilities } from "./capabilities.ts";

/** Runs tools on a backend. A write is repeated only where its key is known to be honoured. */
export function remoteExecutor(tools: readonly AnyTool[], backend: Backend, capabilities: KnownCapabilities): Executor {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    async execute(name, input, call) {
      const tool = byName.get(name);
      if (!tool) throw unknownTool(name, tools);
      const spoken = await capabilities.current();
      const isKeyed = call.idempotencyKey !== undefined && spoken?.features.includes("idempotency") === true;
      try {
        const { result } = await backend.call(endpoints.tool, {
          parts: { tool: name },
          body: input ?? {},
          headers: headersOf(call),
          signal: call.signal,
          isRepeatable: tool.effects.readOnly || isKeyed,
        });
        return result;
      } catch (error) {
        if (error instanceof ChestError && error.code === "CLIENT_TOO_OLD") capabilities.forget();
        throw error;
      }
    },
  };
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
