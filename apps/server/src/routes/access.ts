import { endpoints } from "@chest/contracts";
import { type AccessAdmin, DESK_FIELDS, openAccessAdmin } from "@chest/core/access";
import type { AccessBook, Clock } from "@chest/core/ports";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
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

  serve(app, endpoints.listMembers, async (request, reply) => ({ members: await admin(request, reply).listMembers() }));
  serve(app, endpoints.addMember, async (request, reply) => admin(request, reply).addMember(request.body), {
    body: DESK_FIELDS.addMember,
  });
  serve(app, endpoints.disableMember, async (request, reply) => admin(request, reply).disableMember(request.params), {
    params: DESK_FIELDS.name,
  });
  serve(app, endpoints.handOver, async (request, reply) => admin(request, reply).handOver(request.body), {
    body: DESK_FIELDS.handOver,
  });
  serve(
    app,
    endpoints.listTokens,
    async (request, reply) => ({ tokens: await admin(request, reply).listTokens(request.query) }),
    { querystring: DESK_FIELDS.all },
  );
  serve(app, endpoints.createToken, async (request, reply) => admin(request, reply).createToken(request.body), {
    body: DESK_FIELDS.createToken,
  });
  serve(app, endpoints.renewToken, async (request, reply) => admin(request, reply).renewToken(request.params), {
    params: DESK_FIELDS.id,
  });
  serve(app, endpoints.revokeToken, async (request, reply) => admin(request, reply).revokeToken(request.params), {
    params: DESK_FIELDS.id,
  });
  serve(
    app,
    endpoints.listProjects,
    async (request, reply) => ({ projects: await admin(request, reply).listProjects(request.query) }),
    { querystring: DESK_FIELDS.listProjects },
  );
  serve(app, endpoints.setProject, async (request, reply) => admin(request, reply).setProject(request.body), {
    body: DESK_FIELDS.setProject,
  });
  serve(app, endpoints.joinProjects, async (request, reply) => admin(request, reply).joinProjects(request.body), {
    body: DESK_FIELDS.joinProjects,
  });
  serve(app, endpoints.splitProject, async (request, reply) => admin(request, reply).splitProject(request.body), {
    body: DESK_FIELDS.splitProject,
  });
}
