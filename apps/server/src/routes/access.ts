import { type Endpoint, endpoints } from "@chest/contracts";
import { type AccessAdmin, DESK_FIELDS, openAccessAdmin } from "@chest/core/access";
import type { AccessBook, Clock } from "@chest/core/ports";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { writeCallOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

export interface AccessOptions {
  readonly access: AccessBook;
  readonly clock: Clock;
}

/** Routes of members, tokens and projects. The access service itself refuses what only an admin may do. */
export function accessRoutes(app: FastifyInstance, { access, clock }: AccessOptions): void {
  function admin(request: FastifyRequest, reply: FastifyReply): AccessAdmin {
    const call = writeCallOf(request, reply);
    return openAccessAdmin(access, call.caller, clock, call);
  }

  /** Serves an endpoint by what the service does with one part of the request. */
  function on<R extends z.ZodType>(
    endpoint: Endpoint<R>,
    act: (desk: AccessAdmin, given: unknown) => Promise<z.input<R>>,
    [part, fields]: [part: "body" | "params" | "query", fields?: z.ZodObject] = ["query"],
  ) {
    const handler = (request: FastifyRequest, reply: FastifyReply) => act(admin(request, reply), request[part]);
    serve(app, endpoint, handler, fields && { [part === "query" ? "querystring" : part]: fields });
  }

  on(endpoints.listMembers, async (desk) => ({ members: await desk.listMembers() }));
  on(endpoints.addMember, (desk, given) => desk.addMember(given), ["body", DESK_FIELDS.addMember]);
  on(endpoints.disableMember, (desk, given) => desk.disableMember(given), ["params", DESK_FIELDS.name]);
  on(endpoints.handOver, (desk, given) => desk.handOver(given), ["body", DESK_FIELDS.handOver]);
  on(endpoints.listTokens, async (desk, given) => ({ tokens: await desk.listTokens(given) }), [
    "query",
    DESK_FIELDS.all,
  ]);
  on(endpoints.createToken, (desk, given) => desk.createToken(given), ["body", DESK_FIELDS.createToken]);
  on(endpoints.renewToken, (desk, given) => desk.renewToken(given), ["params", DESK_FIELDS.id]);
  on(endpoints.revokeToken, (desk, given) => desk.revokeToken(given), ["params", DESK_FIELDS.id]);
  on(endpoints.listProjects, async (desk, given) => ({ projects: await desk.listProjects(given) }), [
    "query",
    DESK_FIELDS.listProjects,
  ]);
  on(endpoints.setProject, (desk, given) => desk.setProject(given), ["body", DESK_FIELDS.setProject]);
  on(endpoints.joinProjects, (desk, given) => desk.joinProjects(given), ["body", DESK_FIELDS.joinProjects]);
  on(endpoints.splitProject, (desk, given) => desk.splitProject(given), ["body", DESK_FIELDS.splitProject]);
}
