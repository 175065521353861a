import { type Endpoint, endpoints } from "@chest/contracts";
import type { Caller } from "@chest/core/access";
import {
  getSnapshot,
  putSnapshot,
  snapshotGetInput,
  snapshotPutInput,
  snapshotTouchInput,
  touchSnapshot,
} from "@chest/core/files";
import { defineOperation } from "@chest/core/operation";
import type { Pipeline } from "@chest/core/pipeline";
import type { SnapshotKey } from "@chest/core/ports";
import type { ToolPorts } from "@chest/core/tool";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { NO_HEADERS, serveOperation } from "./define-route.ts";

/** Routes that keep file snapshots for a client beside an agent. */
export function snapshotRoutes(app: FastifyInstance, pipeline: Pipeline): void {
  function rpc<I extends z.ZodObject, A extends { ok: true }>(
    endpoint: Endpoint<z.ZodType<unknown, { ok: true; result: A }>>,
    body: I,
    run: (request: z.output<I>, stated: Omit<SnapshotKey, "path">, ports: ToolPorts, caller: Caller) => Promise<A>,
  ): void {
    const operation = defineOperation({
      endpoint,
      body,
      async run(request, ports) {
        const { machine = "", session = "" } = ports.caller.client;
        return {
          ok: true as const,
          result: await run(request.body as z.output<I>, { machine, session }, ports, ports.caller),
        };
      },
    });
    serveOperation(app, pipeline, operation, NO_HEADERS);
  }

  rpc(endpoints.snapshotGet, snapshotGetInput, getSnapshot);
  rpc(endpoints.snapshotPut, snapshotPutInput, putSnapshot);
  rpc(endpoints.snapshotTouch, snapshotTouchInput, touchSnapshot);
}
