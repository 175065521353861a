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
    act: (admin: AccessAdmin, input: unknown) => Promise<z.input<R>>,
    [part, fields]: [part: "body" | "params" | "query", fields?: z.ZodObject] = ["query"],
  ) {
    const handler = (request: FastifyRequest, reply: FastifyReply) => act(admin(request, reply), request[part]);
    serve(app, endpoint, handler, fields && { [part === "query" ? "querystring" : part]: fields });
  }

  on(endpoints.listMembers, async (admin) => ({ members: await admin.listMembers() }));
  on(endpoints.addMember, (admin, input) => admin.addMember(input), ["body", DESK_FIELDS.addMember]);
  on(endpoints.disableMember, (admin, input) => admin.disableMember(input), ["params", DESK_FIELDS.name]);
  on(endpoints.handOver, (admin, input) => admin.handOver(input), ["body", DESK_FIELDS.handOver]);
  on(endpoints.listTokens, async (admin, input) => ({ tokens: await admin.listTokens(input) }), [
    "query",
    DESK_FIELDS.all,
  ]);
  on(endpoints.createToken, (admin, input) => admin.createToken(input), ["body", DESK_FIELDS.createToken]);
  on(endpoints.renewToken, (admin, input) => admin.renewToken(input), ["params", DESK_FIELDS.id]);
  on(endpoints.revokeToken, (admin, input) => admin.revokeToken(input), ["params", DESK_FIELDS.id]);
  on(endpoints.listProjects, async (admin, input) => ({ projects: await admin.listProjects(input) }), [
    "query",
    DESK_FIELDS.listProjects,
  ]);
  on(endpoints.setProject, (admin, input) => admin.setProject(input), ["body", DESK_FIELDS.setProject]);
  on(endpoints.joinProjects, (admin, input) => admin.joinProjects(input), ["body", DESK_FIELDS.joinProjects]);
  on(endpoints.splitProject, (admin, input) => admin.splitProject(input), ["body", DESK_FIELDS.splitProject]);
}
