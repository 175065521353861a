import { endpoints } from "@chest/contracts";
import { type AccessBook, type AccessDesk, type Clock, DESK_FIELDS, openDesk } from "@chest/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { writeCallOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

export interface AccessOptions {
  readonly access: AccessBook;
  readonly clock: Clock;
}

/** Routes of members, tokens and projects. The access service itself refuses what only an admin may do. */
export function accessRoutes(app: FastifyInstance, { access, clock }: AccessOptions): void {
  function desk(request: FastifyRequest, reply: FastifyReply): AccessDesk {
    const call = writeCallOf(request, reply);
    return openDesk(access, call.caller, clock, call);
  }

  serve(app, endpoints.listMembers, async (request, reply) => ({ members: await desk(request, reply).listMembers() }));
  serve(app, endpoints.addMember, async (request, reply) => desk(request, reply).addMember(request.body), {
    body: DESK_FIELDS.addMember,
  });
  serve(app, endpoints.disableMember, async (request, reply) => desk(request, reply).disableMember(request.params), {
    params: DESK_FIELDS.name,
  });
  serve(app, endpoints.handOver, async (request, reply) => desk(request, reply).handOver(request.body), {
    body: DESK_FIELDS.handOver,
  });
  serve(
    app,
    endpoints.listTokens,
    async (request, reply) => ({ tokens: await desk(request, reply).listTokens(request.query) }),
    { querystring: DESK_FIELDS.all },
  );
  serve(app, endpoints.createToken, async (request, reply) => desk(request, reply).createToken(request.body), {
    body: DESK_FIELDS.createToken,
  });
  serve(app, endpoints.renewToken, async (request, reply) => desk(request, reply).renewToken(request.params), {
    params: DESK_FIELDS.id,
  });
  serve(app, endpoints.revokeToken, async (request, reply) => desk(request, reply).revokeToken(request.params), {
    params: DESK_FIELDS.id,
  });
  serve(
    app,
    endpoints.listProjects,
    async (request, reply) => ({ projects: await desk(request, reply).listProjects(request.query) }),
    { querystring: DESK_FIELDS.listProjects },
  );
  serve(app, endpoints.setProject, async (request, reply) => desk(request, reply).setProject(request.body), {
    body: DESK_FIELDS.setProject,
  });
  serve(app, endpoints.joinProjects, async (request, reply) => desk(request, reply).joinProjects(request.body), {
    body: DESK_FIELDS.joinProjects,
  });
  serve(app, endpoints.splitProject, async (request, reply) => desk(request, reply).splitProject(request.body), {
    body: DESK_FIELDS.splitProject,
  });
}
