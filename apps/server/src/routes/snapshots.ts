import { type Endpoint, endpoints } from "@chest/contracts";
import type { Caller } from "@chest/core/access";
import type { HostPorts } from "@chest/core/executor";
import {
  getSnapshot,
  putSnapshot,
  snapshotGetInput,
  snapshotPutInput,
  snapshotTouchInput,
  touchSnapshot,
} from "@chest/core/files";
import type { Engine, SnapshotKey } from "@chest/core/ports";
import { readFields, type ToolPorts } from "@chest/core/tool";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { callOf, writeCallOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

export interface SnapshotOptions {
  readonly engine: Pick<Engine, "as">;
  readonly ports: HostPorts;
}

/** Routes that keep file snapshots for a client beside an agent. */
export function snapshotRoutes(app: FastifyInstance, { engine, ports }: SnapshotOptions): void {
  function rpc<I extends z.ZodObject, A extends { ok: true }>(
    endpoint: Endpoint<z.ZodType<unknown, { ok: true; result: A }>>,
    input: I,
    run: (asked: z.output<I>, stated: Omit<SnapshotKey, "path">, ports: ToolPorts, caller: Caller) => Promise<A>,
  ): void {
    serve(
      app,
      endpoint,
      async (request, reply) => {
        const call = endpoint.repeat ? writeCallOf(request, reply) : callOf(request, reply);
        const { machine = "", session = "" } = call.caller.client;
        const asked = readFields(input, request.body);
        const bound = { ...ports, store: engine.as(call), signal: call.signal };
        return { ok: true as const, result: await run(asked, { machine, session }, bound, call.caller) };
      },
      { body: input },
    );
  }

  rpc(endpoints.snapshotGet, snapshotGetInput, getSnapshot);
  rpc(endpoints.snapshotPut, snapshotPutInput, putSnapshot);
  rpc(endpoints.snapshotTouch, snapshotTouchInput, touchSnapshot);
}
