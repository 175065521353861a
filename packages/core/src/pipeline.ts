import type { Caller } from "./access/caller.ts";
import { inSessionProject } from "./access/session.ts";
import { pendingText, withText } from "./embedding/text.ts";
import { type Call, type Executor, type HostPorts, NO_FILES, unknownTool, withIgnored } from "./executor.ts";
import { openOnce, type RunOnce } from "./idempotency.ts";
import type { Operation, OperationPorts } from "./operation.ts";
import type { AuditLog } from "./ports/audit.ts";
import type { Engine } from "./ports/engine.ts";
import { recentPages } from "./recall/answer/pages.ts";
import { type AnyTool, normalizeCall, parseCall } from "./tool.ts";
import { authorise, isWrite } from "./wraps/authorise.ts";
import { type CallLog, logCalls } from "./wraps/log-calls.ts";
import { noteRefusal } from "./wraps/note-refusals.ts";

/** The one door to a store: answers tools by name, and every other operation by its value. */
export interface Pipeline extends Executor {
  /** Answers an operation. @param raw its parts as they were sent */
  answer<Input, Answer>(operation: Operation<Input, Answer>, raw: unknown, call: Call): Promise<Answer>;
  /** Runs operators' work that takes several transactions, once under its key. */
  readonly once: RunOnce;
}

/** One answered call of a tool. */
export interface AnsweredCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly isWrite: boolean;
  readonly call: Call;
}

/** Additions of a process to the stages; none by default. */
export interface Around {
  /** Completes a caller, for example by the time since when its client has been at work. */
  readonly place?: ((caller: Caller) => Caller) | undefined;
  /** Looks at answered calls of tools, in this order. */
  readonly after?: readonly ((done: AnsweredCall) => void | Promise<void>)[];
  /** Notes refused calls; writes note themselves in their transactions. */
  readonly audit?: Pick<AuditLog, "refused"> | undefined;
  /** Gets one line per call of a tool: outcome, milliseconds, caller. Never content. */
  readonly log?: CallLog | undefined;
}

/** Opens the door to an engine: each call passes the eight stages of `pass`, in their order. */
export function openPipeline(
  tools: readonly AnyTool[],
  engine: Pick<Engine, "as" | "access">,
  ports: HostPorts,
  { place = (caller) => caller, after = [], audit, log }: Around = {},
): Pipeline {
  const byName = new Map(tools.map((tool) => [tool.name, toolOperation(tool)]));
  const once = openOnce(engine);
  const own = { ...NO_FILES, pages: recentPages(ports.clock), ...ports, engine };
  const portsOf = (call: Call): OperationPorts => ({
    ...own,
    call,
    caller: call.caller,
    store: engine.as(call),
    signal: call.signal,
  });

  async function pass<Input, Answer>(operation: Operation<Input, Answer>, raw: unknown, from: Call): Promise<Answer> {
    try {
      // 1. read: arguments as they are meant, once.
      const reading = operation.read(raw);
      // 2. authorise, before the schema says more of the arguments.
      authorise(reading.scope, from.caller);
      // 3. limits: a write counts against its caller's budget.
      const isWrite = reading.scope === "write";
      if (isWrite) await from.spend?.();
      const input = reading.input();
      // 4. idempotency: a store bound to the caller, the project and the key.
      const call = await bound(operation, input, from);
      // 5. run.
      const answer = await run(operation, input, call);
      // 6. after-write: embedding, maintenance, and who else looks at answered calls.
      const isEmbedded = isWrite && (ports.embedSoon ?? call.takesText) !== undefined;
      const text = isEmbedded ? await pendingText(Object(answer), () => engine.as(call)) : undefined;
      if (text) ports.embedSoon?.([text]);
      const done = { tool: operation.name, input: Object(input), answer: Object(answer), isWrite, call };
      if (operation.isTool) for (const look of after) await look(done);
      // 7. answer: with the text that a client embeds itself, and the arguments that had no effect.
      const shown = text && (await call.takesText?.()) ? withText(answer, text) : answer;
      return reading.strangers.length === 0 ? shown : withIgnored(shown, reading.strangers);
    } catch (error) {
      // 8. audit.
      noteRefusal(audit, error, { caller: from.caller, op: operation.name });
      throw error;
    }
  }

  async function bound<Input>(operation: Operation<Input, unknown>, input: Input, from: Call): Promise<Call> {
    const call = { ...from, caller: place(from.caller) };
    const request = operation.request?.(input) ?? call.request;
    return { ...(operation.isPlaced ? await inSessionProject(call, engine) : call), request };
  }

  const run = <Input, Answer>(operation: Operation<Input, Answer>, input: Input, call: Call): Promise<Answer> => {
    const { writes } = operation;
    if (writes === undefined) return operation.run(input, portsOf(call));
    return once(call, (unkeyed) =>
      operation.run(input, portsOf({ ...unkeyed, request: { tool: writes, input: null } })),
    );
  };

  async function execute(name: string, raw: unknown, call: Call): Promise<Record<string, unknown>> {
    const operation = byName.get(name);
    if (!operation) throw unknownTool(name, tools);
    return pass(operation, raw, call);
  }

  return { answer: pass, ...(log ? logCalls(log, { execute }) : { execute }), once };
}

/** The tools over an engine in this process, with nothing around. */
export const localExecutor = (tools: readonly AnyTool[], engine: Engine, ports: HostPorts): Pipeline =>
  openPipeline(tools, engine, ports);

function toolOperation(tool: AnyTool): Operation<Record<string, unknown>, Record<string, unknown>> {
  const { name } = tool;
  return {
    name,
    isTool: true,
    isPlaced: true,
    read(raw) {
      const read = normalizeCall(tool, raw);
      return {
        scope: isWrite(tool, read.values) ? "write" : "read",
        strangers: read.strangers,
        input: () => parseCall(tool, read),
      };
    },
    request: (input) => ({ tool: name, input }),
    run: (input, ports) => tool.run(input, ports, ports.caller),
  };
}
