import { ChestError } from "@chest/contracts";
import type { Caller } from "./access/caller.ts";
import type { Once } from "./idempotency.ts";
import { noOutline } from "./ports/files/outline.ts";
import { noWorkspace } from "./ports/files/workspace.ts";
import { noReadings } from "./ports/readings.ts";
import { wellFormed } from "./text/characters.ts";
import {
  type AnyTool,
  type FilePorts,
  type FileToolPorts,
  normalizeCall,
  parseCall,
  type ServerPorts,
} from "./tool.ts";

/** One call of a tool: the caller and the identifiers of the call. */
export interface Call extends Once {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** The span that this call is part of, as W3C writes it. */
  readonly traceparent?: string | undefined;
  /** Counts a write against the caller's budget; rejects above it. Undefined where it is counted before, or not at all. */
  readonly spend?: (() => Promise<void>) | undefined;
  /** Whether the client itself embeds what it writes: the answer of a write then contains the text to embed. */
  readonly takesText?: (() => Promise<boolean>) | undefined;
}

/** Runs tools: here, or on a backend. */
export interface Executor {
  execute(name: string, input: unknown, call: Call): Promise<Record<string, unknown>>;
}

/** A call on its way, with its tool, which is found once. */
export interface ToolCall {
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly call: Call;
}

export type Next = (request: ToolCall) => Promise<Record<string, unknown>>;

/** A stage of a process beside an agent: completes a call, asks before it, or looks at its answer. */
export type Stage = (request: ToolCall, next: Next) => Promise<Record<string, unknown>>;

/** Takes calls through stages, the outermost first, and to the end. */
export function throughStages(tools: readonly AnyTool[], end: Next, ...stages: readonly Stage[]): Executor {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const first = stages.reduceRight<Next>((next, stage) => (request) => stage(request, next), end);
  return {
    async execute(name, input, call) {
      const tool = byName.get(name);
      if (!tool) throw unknownTool(name, tools);
      return first({ tool, input, call });
    },
  };
}

/** The end of stages that lie before an executor. */
export const endAt =
  (executor: Executor): Next =>
  ({ tool, input, call }) =>
    executor.execute(tool.name, input, call);

/** Ports that an executor needs besides the store, which it binds to each call's caller. */
export type HostPorts = Omit<ServerPorts, "store">;

/** File ports of executors that run beside the store: file tools refuse by their own rules. */
export const NO_FILES: FilePorts = { workspace: noWorkspace, outline: noOutline, readings: noReadings };

/** Runs the file tools on the agent's machine and passes the others on. */
export function besideAgent(tools: readonly AnyTool<FileToolPorts>[], portsFor: (call: Call) => FilePorts): Stage {
  return async (request, next) => {
    const { input, call } = request;
    const tool = tools.find(({ name }) => name === request.tool.name);
    if (!tool) return next(request);
    const read = normalizeCall(tool, input);
    const ports = { ...portsFor(call), signal: call.signal };
    return withIgnored(await tool.run(parseCall(tool, read), ports, call.caller), read.strangers);
  };
}

/** Adds to an answer the names of arguments that had no effect. */
export function withIgnored<A>(answer: A, names: readonly string[]): A {
  if (names.length === 0) return answer;
  const listed = names.slice(0, MOST_NAMED).map((name) => `\`${wellFormed(name.slice(0, 80))}\``);
  const message = `${listed.join(", ")}: no argument of this tool, ignored`;
  const { warnings } = answer as { warnings?: unknown };
  return {
    ...answer,
    warnings: [...(Array.isArray(warnings) ? warnings : []), { reason: "arguments_ignored", message }],
  };
}

const MOST_NAMED = 20;

export function unknownTool(name: string, tools: readonly { readonly name: string }[]): ChestError {
  return new ChestError("UNKNOWN_TOOL", `there is no tool \`${name.slice(0, 100)}\``, {
    hint: "use a name from `known`",
    details: { known: tools.map((tool) => tool.name) },
  });
}
