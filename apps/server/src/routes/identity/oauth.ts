import { BODY_LIMITS, ChestError, endpoints } from "@chest/contracts";
import { hashSecret } from "@chest/core/access";
import { readFields } from "@chest/core/tool";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Config } from "../../config.ts";
import type { AdapterParts } from "../../oauth/adapter.ts";
import { ISSUER_PATH, type OauthAddresses, resourceMetadata, serverMetadata } from "../../oauth/addresses.ts";
import type { Consent } from "../../oauth/consent.ts";
import type { Spend } from "../../plugins/rate-limit.ts";
import { serve } from "../define-route.ts";

export interface OauthOptions extends AdapterParts {
  readonly oauth: Config["oauth"];
  readonly allowPrivate: boolean;
  readonly addresses: OauthAddresses | undefined;
  /** Limits registrations, token requests and new authorizations, per address. */
  readonly attempts: Spend;
}

const UID = z.strictObject({ uid: z.string().max(100) });
const DECISION = z.strictObject({
  approve: z.boolean(),
  write: z.boolean().default(false),
  projects: z.array(z.string().max(200)).min(1).max(100).optional(),
});

/** Routes of the authorization server: metadata, the endpoints for clients and browsers, and the consent page. */
export async function oauthRoutes(app: FastifyInstance, options: OauthOptions): Promise<void> {
  const { oauth, addresses } = options;
  // The library is loaded on first use; the metadata does not need it.
  let opened: ReturnType<typeof open> | undefined;
  const server = () => {
    if (!oauth || !addresses) throw isOff();
    opened ??= open({ ...options, oauth, addresses });
    return opened;
  };
  const exchangeOf = (request: FastifyRequest, reply: FastifyReply) => ({ request: request.raw, response: reply.raw });

  serve(
    app,
    endpoints.authorizationRequest,
    async (request, reply) => {
      const { consent } = await server();
      const { uid } = readFields(UID, request.params);
      return consent.show(exchangeOf(request, reply), uid, callerOf(request));
    },
    { params: UID },
  );
  serve(
    app,
    endpoints.decideAuthorization,
    async (request, reply) => {
      const { consent } = await server();
      const { uid } = readFields(UID, request.params);
      return consent.decide(
        exchangeOf(request, reply),
        uid,
        callerOf(request),
        readFields(DECISION, request.body ?? {}),
      );
    },
    { params: UID, body: DECISION },
  );
  if (oauth && addresses) await app.register(clientRoutes({ ...options, oauth, addresses, server }));
}

/** Error of a refused registration, thrown by the library or by the checks before it. */
interface RegistrationError extends Error {
  readonly error?: string;
  readonly error_description?: string;
}

interface AuthorizationServer {
  readonly consent: Consent;
  /** Lets the library answer a request under `/oauth`. */
  answer(request: FastifyRequest, reply: FastifyReply): void;
  register(registration: unknown): Promise<object>;
}

async function open(
  parts: AdapterParts & { allowPrivate: boolean; oauth: NonNullable<Config["oauth"]>; addresses: OauthAddresses },
): Promise<AuthorizationServer> {
  const [{ openProvider }, { openConsent }, { registeredClient }, { storeAdapter }] = await Promise.all([
    import("../../oauth/provider.ts"),
    import("../../oauth/consent.ts"),
    import("../../oauth/clients.ts"),
    import("../../oauth/adapter.ts"),
  ]);
  const { oauth, addresses, records, clock } = parts;
  const provider = openProvider({ ...parts, ...oauth });
  const handle = provider.callback();
  const { upsert: keep } = storeAdapter(parts)("Client");
  return {
    consent: openConsent(provider, addresses, parts),
    answer(request, reply) {
      const { raw } = request;
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      reply.hijack();
      handle(withPublicAddress(raw, addresses), reply.raw);
    },
    async register(registration) {
      const metadata = registeredClient(registration);
      // Constructing the client validates the metadata and adds the library's defaults, and the result is what the
      // library accepts later.
      const client = Reflect.construct(provider.Client, [metadata]) as { metadata(): Record<string, unknown> };
      const known = await records.find("Client", hashSecret(metadata.client_id));
      // The registration of a client in use keeps its expiry.
      if (!known) await keep(metadata.client_id, client.metadata());
      // The answer repeats the redirect addresses with their ports, since a client may compare them with its own.
      const { redirect_uris } = registration as { redirect_uris: readonly string[] };
      return { ...metadata, redirect_uris, client_id_issued_at: Math.floor(clock.now().getTime() / 1000) };
    },
  };
}

/** Restores the address that clients see in a request that proxies have changed. */
function withPublicAddress(raw: FastifyRequest["raw"], { base, prefix }: OauthAddresses): FastifyRequest["raw"] {
  const { host, protocol } = new URL(base);
  const url = raw.url ?? "/";
  raw.headers.host = host;
  raw.headers["x-forwarded-proto"] = protocol.slice(0, -1);
  delete raw.headers["x-forwarded-host"];
  return Object.assign(raw, { originalUrl: `${prefix}${url}`, url: url.slice(ISSUER_PATH.length) || "/" });
}

type ClientRouteParts = OauthOptions & {
  readonly oauth: NonNullable<Config["oauth"]>;
  readonly addresses: OauthAddresses;
  readonly server: () => Promise<AuthorizationServer>;
};

/** Adds the routes that clients and browsers call, with form bodies as OAuth requires. */
const clientRoutes =
  ({ addresses, oauth, attempts, server }: ClientRouteParts): FastifyPluginAsync =>
  async (scope) => {
    const open = { config: { access: "open" as const, keepsBody: true }, schema: { hide: true } };
    const metadata = (path: string, document: object) =>
      scope.get(path, open, async (_request, reply) => reply.header("cache-control", "max-age=300").send(document));
    const { prefix } = addresses;
    metadata(`/.well-known/oauth-protected-resource${prefix}/mcp/oauth`, resourceMetadata(addresses));
    const ofServer = serverMetadata(addresses, oauth.clientHosts.length > 0);
    metadata(`/.well-known/oauth-authorization-server${prefix}${ISSUER_PATH}`, ofServer);
    metadata(`${ISSUER_PATH}/.well-known/oauth-authorization-server`, ofServer);

    scope.post(
      `${ISSUER_PATH}/register`,
      { config: { access: "open" }, bodyLimit: BODY_LIMITS.hook, schema: { hide: true } },
      async (request, reply) => {
        await attempts(request);
        try {
          const made = await (await server()).register(request.body);
          return reply.code(201).header("cache-control", "no-store").send(made);
        } catch (error) {
          const { error: code = "", error_description: why, message } = error as RegistrationError;
          if (!/^invalid_/.test(code)) throw error;
          return reply.code(400).send({ error: code, error_description: why ?? message });
        }
      },
    );
    await scope.register(async (raw) => {
      raw.removeAllContentTypeParsers();
      raw.addContentTypeParser("*", (_request, _body, done) => done(null));
      raw.get(`${ISSUER_PATH}/authorize`, open, async (request, reply) => {
        await attempts(request);
        if (request.url.length > LONGEST_URL) throw tooLong();
        (await server()).answer(request, reply);
      });
      raw.get(`${ISSUER_PATH}/authorize/:uid`, open, async (request, reply) => (await server()).answer(request, reply));
      for (const path of ["token", "revoke"]) {
        raw.post(`${ISSUER_PATH}/${path}`, open, async (request, reply) => {
          await attempts(request);
          (await server()).answer(request, reply);
        });
      }
    });
  };

/** Most characters of an authorization request, which is kept until the member answers. */
const LONGEST_URL = 4000;

const tooLong = (): ChestError =>
  new ChestError("INVALID_INPUT", `the address has more than ${LONGEST_URL} characters`, {
    hint: "send a shorter `state`",
    details: { field: "state" },
  });

const callerOf = ({ caller }: FastifyRequest) => {
  if (!caller) throw new Error("an open route has no caller");
  return caller;
};

const isOff = (): ChestError =>
  new ChestError("NOT_FOUND", "this backend takes no OAuth clients", {
    hint: "the operator can set `CHEST_PUBLIC_URL`",
  });
