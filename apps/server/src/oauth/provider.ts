import { generateKeyPairSync } from "node:crypto";
import Provider, { type Configuration, errors, type KoaContextWithOIDC } from "oidc-provider";
import { type AdapterParts, storeAdapter } from "./adapter.ts";
import { OAUTH_SCOPES, type OauthAddresses } from "./addresses.ts";
import { documentFetch, isKnownHost } from "./clients.ts";

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
/** A grant ends after a year, however much the client is used; then the member is asked again. */
export const GRANT_S = 365 * DAY_S;

export interface ProviderParts extends AdapterParts {
  readonly addresses: OauthAddresses;
  readonly clientHosts: readonly string[];
  readonly allowPrivate: boolean;
}

/**
 * Opens the authorization server. The page shows access requests; for everything else the server redirects the browser.
 */
export function openProvider(parts: ProviderParts): Provider {
  const { addresses, access, records, clientHosts, allowPrivate } = parts;
  const { base, issuer, resource } = addresses;
  const path = new URL(issuer).pathname;
  const configuration: Configuration = {
    adapter: storeAdapter(parts),
    // There are no ID tokens, but the library would use a well-known development key if none were set.
    jwks: { keys: [generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })] },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    scopes: [],
    responseTypes: ["code"],
    clientAuthMethods: ["none"],
    routes: { authorization: "/authorize", token: "/token", registration: "/register", revocation: "/revoke" },
    pkce: { required: () => true },
    cookies: {
      names: { session: "chest_oauth_session", interaction: "chest_oauth_request", resume: "chest_oauth_resume" },
      long: { httpOnly: true, sameSite: "lax", path, signed: false },
      short: { httpOnly: true, sameSite: "lax", signed: false },
    },
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: MINUTE_S,
      Interaction: 30 * MINUTE_S,
      RefreshToken: 30 * DAY_S,
      Session: 30 * MINUTE_S,
      Grant: GRANT_S,
      IdToken: MINUTE_S,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      clientIdMetadataDocument: {
        enabled: clientHosts.length > 0,
        ack: "draft-02",
        allowFetch: (_ctx, clientId) => isKnownHost(clientId, clientHosts),
        allowClient: (_ctx, client) => isKnownHost(client.clientId, clientHosts),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, indicator) {
          if (indicator !== resource) throw new errors.InvalidTarget(`the only resource is ${resource}`);
          const scope = Object.keys(OAUTH_SCOPES).join(" ");
          return { scope, audience: resource, accessTokenFormat: "opaque", accessTokenTTL: HOUR_S };
        },
      },
    },
    fetch: documentFetch(allowPrivate),
    // The backend answers cross-origin checks before the library sees a request.
    clientBasedCORS: () => true,
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    // Each authorization asks the member again, so only the grant of the present answer counts.
    async loadExistingGrant(ctx) {
      const id = ctx.oidc.result?.consent?.grantId;
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id);
    },
    async findAccount(_ctx, accountId) {
      const member = await access.memberById(Number(accountId));
      return member?.isActive ? { accountId, claims: async () => ({ sub: accountId }) } : undefined;
    },
    interactions: { url: (_ctx, { uid }) => `${base}/#/authorize/${uid}` },
    renderError: showError(base),
  };
  const provider = new Provider(issuer, configuration);
  provider.proxy = true;
  // Registrations are open to anyone, so their redirect addresses are not trusted: errors go to the client only after a
  // member has seen its name.
  const known = new WeakSet<KoaContextWithOIDC>();
  provider.use(async (ctx, next) => {
    const { client_id: client } = ctx.query;
    if (typeof client === "string" && (await records.hasGrant(client))) known.add(ctx as KoaContextWithOIDC);
    await next();
  });
  const keepHere = (ctx: KoaContextWithOIDC, error: Error) => {
    if (ctx.oidc.route === "authorization" && !known.has(ctx)) Object.assign(error, { allow_redirect: false });
  };
  provider.on("authorization.error", keepHere);
  provider.on("server_error", keepHere);
  return provider;
}

/**
 * Redirects to the page, which explains the error code in the reader's language; error texts of clients are not shown.
 */
const showError =
  (base: string) =>
  (ctx: KoaContextWithOIDC, out: { readonly error: string }): void => {
    ctx.status = 303;
    ctx.redirect(`${base}/#/authorize/failed?why=${encodeURIComponent(out.error)}`);
  };
