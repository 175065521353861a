import { type Endpoint, endpoints } from "@chest/contracts";
import {
  type Engine,
  getSnapshot,
  putSnapshot,
  readFields,
  type SnapshotKey,
  type Store,
  snapshotGetInput,
  snapshotPutInput,
  snapshotTouchInput,
  touchSnapshot,
} from "@chest/core";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { callOf, writeCallOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

/** Routes for the readings that a client beside an agent keeps here of files. */
export function snapshotRoutes(app: FastifyInstance, engine: Pick<Engine, "as">): void {
  function rpc<I extends z.ZodObject, A extends { ok: true }>(
    endpoint: Endpoint<z.ZodType<unknown, { ok: true; result: A }>>,
    input: I,
    run: (asked: z.output<I>, stated: Omit<SnapshotKey, "path">, store: Store) => Promise<A>,
  ): void {
    serve(
      app,
      endpoint,
      async (request, reply) => {
        const call = endpoint.repeat ? writeCallOf(request, reply) : callOf(request, reply);
        const { machine = "", session = "" } = call.caller.client;
        const asked = readFields(input, request.body);
        return { ok: true as const, result: await run(asked, { machine, session }, engine.as(call)) };
      },
      { body: input },
    );
  }

  rpc(endpoints.snapshotGet, snapshotGetInput, getSnapshot);
  rpc(endpoints.snapshotPut, snapshotPutInput, putSnapshot);
  rpc(endpoints.snapshotTouch, snapshotTouchInput, touchSnapshot);
}
