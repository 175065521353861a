import { endpoints } from "@chest/contracts";
import type { AccessBook, AuthorizationRecords, Clock } from "@chest/core/ports";
import { readFields } from "@chest/core/tool";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Config } from "../../config.ts";
import type { OauthAddresses } from "../../oauth/addresses.ts";
import { browserLabel, readCookies, writeCookie } from "../../plugins/browser.ts";
import { PAGE_CLIENT } from "../../plugins/caller.ts";
import type { DefectLog } from "../../plugins/errors.ts";
import type { Spend } from "../../plugins/rate-limit.ts";
import type { SingleSignOn } from "../../sso/sign-in.ts";
import { serve } from "../define-route.ts";

export interface SsoOptions {
  readonly sso: Config["sso"];
  readonly addresses: OauthAddresses | undefined;
  readonly access: AccessBook;
  readonly records: AuthorizationRecords;
  readonly clock: Clock;
  readonly attempts: Spend;
  readonly log: DefectLog;
}

const CALLBACK = "/api/sso/callback";
const COOKIE = "chest_sso";
/** Path within the page to return to after the sign-in; other addresses are refused. */
const BEGIN = z.object({
  to: z
    .string()
    .max(300)
    .regex(/^\/[\w/?=&.%-]*$/, "is not a route of the page")
    .default("/search"),
});

/** Routes of signing in to the page through an identity provider. */
export function ssoRoutes(app: FastifyInstance, options: SsoOptions): void {
  const { sso, addresses, attempts, log } = options;
  serve(app, endpoints.sso, async () => ({ provider: sso?.kind ?? null }));
  if (!sso || !addresses) return;
  const { base, prefix } = addresses;
  const path = `${prefix}/`;
  let opened: Promise<SingleSignOn> | undefined;
  const server = () => {
    opened ??= open({ ...options, sso }, `${base}${CALLBACK}`);
    return opened;
  };
  const isSecure = base.startsWith("https:");
  const cookieOf = (value: string, maxAgeS: number) =>
    `${COOKIE}=${value}; HttpOnly; SameSite=Lax; Path=${path}; Max-Age=${maxAgeS}${isSecure ? "; Secure" : ""}`;

  /** Redirects to the page, which explains the failure; the log tells the operator the reason. */
  async function attempt(request: FastifyRequest, reply: FastifyReply, work: () => Promise<string>) {
    await attempts(request);
    reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
    const { NotSignedIn } = await import("../../sso/sign-in.ts");
    try {
      return reply.redirect(await work(), 303);
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error;
      if (error.cause !== undefined)
        log.error(
          { requestId: request.id, reason: error.reason, err: error.cause },
          "not signed in by the identity provider",
        );
      return reply.redirect(`${base}/#/sign-in?sso=${error.reason}`, 303);
    }
  }

  const hidden = { config: { access: "open" as const }, schema: { hide: true } };
  app.get("/api/sso/begin", hidden, (request, reply) =>
    attempt(request, reply, async () => {
      const { to } = readFields(BEGIN, request.query);
      const { url, state } = await (await server()).begin(to);
      reply.header("set-cookie", cookieOf(state, 600));
      return url.href;
    }),
  );
  app.get(CALLBACK, hidden, (request, reply) =>
    attempt(request, reply, async () => {
      const state = readCookies(request).get(COOKIE) ?? "";
      const callback = new URL(`${base}${request.url}`);
      const browser = { label: browserLabel(request), client: PAGE_CLIENT };
      reply.header("set-cookie", cookieOf("", 0));
      const { cookie, returnTo } = await (await server()).finish(callback, state, browser);
      reply.header("set-cookie", writeCookie({ headers: { origin: base } }, cookie, path));
      return `${base}/#${returnTo}`;
    }),
  );
}

async function open(
  { sso, access, records, clock }: SsoOptions & { readonly sso: NonNullable<Config["sso"]> },
  redirectUri: string,
): Promise<SingleSignOn> {
  const { openSingleSignOn } = await import("../../sso/sign-in.ts");
  const provider =
    sso.kind === "github"
      ? (await import("../../sso/github.ts")).githubProvider(sso, redirectUri)
      : (await import("../../sso/openid.ts")).openidProvider(sso, redirectUri);
  return openSingleSignOn({ config: sso, provider, access, records, clock });
}
