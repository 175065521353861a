import type { Endpoint, Scope } from "@chest/contracts";
import type { z } from "zod";
import type { Caller } from "./access/caller.ts";
import type { Call } from "./executor.ts";
import type { Engine } from "./ports/engine.ts";
import { type FilePorts, readFields, type ToolPorts } from "./tool.ts";

/** Work that a process does for a caller: a tool, a list, a question of a hook, an import. */
export interface Operation<Input, Answer> {
  /** Name in the audit log. */
  readonly name: string;
  /** Parses the name and arguments as sent; throws if no schema could accept them. */
  read(raw: unknown): ReadCall<Input>;
  /** The call works in the project that its session named before. */
  readonly isPlaced: boolean;
  /** Request that an idempotency key stands for; by default the one of the call. */
  request?(input: Input): Call["request"];
  /** Name of the writes of an operation that takes several transactions. Its whole answer is kept for repeats. */
  readonly writes?: string | undefined;
  /** Listeners for answered calls of tools hear of its calls. */
  readonly isTool?: true;
  run(input: Input, ports: OperationPorts): Promise<Answer>;
}

export interface ReadCall<Input> {
  /** Undefined where any caller may ask. */
  readonly scope: Scope | undefined;
  /** Arguments that have no effect. */
  readonly strangers: readonly string[];
  /** Parses the arguments; throws `VALIDATION_ERROR`. */
  input(): Input;
}

/** Ports of an operation: those of a tool, its call, and the engine, for an operation that reads as another caller. */
export interface OperationPorts extends ToolPorts, FilePorts {
  readonly call: Call;
  readonly caller: Caller;
  readonly engine: Pick<Engine, "as" | "access">;
}

type Schema = z.ZodObject | undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** An operation at an address: its endpoint, and a schema for each part of a request that it reads. */
export interface Offer<R extends z.ZodType, P extends Schema, Q extends Schema, B extends Schema>
  extends Partial<Pick<Operation<unknown, unknown>, "isPlaced" | "writes">> {
  readonly endpoint: Endpoint<R>;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  run(input: ParsedParts<P, Q, B>, ports: OperationPorts): Promise<z.input<R>>;
}

interface ParsedParts<P, Q, B> {
  readonly params: Output<P>;
  readonly query: Output<Q>;
  readonly body: Output<B>;
}

/** Parts of a request, as they were sent. */
export interface RawParts {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** An operation with the endpoint and schemas, which its route and the documentation need. */
export type RouteOperation<Input, Answer> = Operation<Input, Answer> &
  Pick<Offer<z.ZodType, Schema, Schema, Schema>, "endpoint" | "params" | "query" | "body">;

export type OperationAnswer<O extends { run(...parts: never): unknown }> = Awaited<ReturnType<O["run"]>>;

/** Makes an operation of an endpoint and its schemas. */
export function defineOperation<
  R extends z.ZodType,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(offer: Offer<R, P, Q, B>): RouteOperation<ParsedParts<P, Q, B>, z.input<R>> {
  const { endpoint, params, query, body, isPlaced = false } = offer;
  const scope = endpoint.scope === "member" ? undefined : endpoint.scope;
  const input = (raw: RawParts) =>
    ({
      params: params && readFields(params, raw.params),
      query: query && readFields(query, raw.query),
      body: body && readFields(body, raw.body),
    }) as ParsedParts<P, Q, B>;
  return {
    ...offer,
    isPlaced,
    name: `${endpoint.method} ${endpoint.path}`,
    read: (raw) => ({ scope, strangers: [], input: () => input(Object(raw)) }),
  };
}
