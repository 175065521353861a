import { TIME_LIMITS } from "@chest/contracts";
import * as client from "openid-client";
import type { IdentityProvider, SsoConfig } from "./identity.ts";

/** Largest difference between the clocks of provider and backend at which tokens are accepted. */
const CLOCK_SKEW_S = 300;
const TIMEOUT_S = TIME_LIMITS.identityProvider / 1000;

/** Sign-in through any OpenID provider with discovery: Keycloak, Google, Entra, Okta, GitLab. */
export function openidProvider(config: SsoConfig, redirectUri: string): IdentityProvider {
  const { issuer, clientId, clientSecret, groupsClaim, isEmailTrusted } = config;
  let found: Promise<client.Configuration> | undefined;

  /** Asks for the provider's metadata until one request succeeds, then keeps the answer. */
  function discovered(): Promise<client.Configuration> {
    const metadata = { client_secret: clientSecret, [client.clockTolerance]: CLOCK_SKEW_S };
    const execute = issuer.startsWith("http:") ? [client.allowInsecureRequests] : [];
    found ??= client
      .discovery(new URL(issuer), clientId, metadata, undefined, { execute, timeout: TIMEOUT_S })
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      });
    return found;
  }

  return {
    async authorizationUrl({ state, nonce, verifier }) {
      const code_challenge = await client.calculatePKCECodeChallenge(verifier);
      return client.buildAuthorizationUrl(await discovered(), {
        ...{ redirect_uri: redirectUri, scope: "openid email profile", state, nonce },
        ...{ code_challenge, code_challenge_method: "S256" },
      });
    },
    async identify(callback, { state, nonce, verifier }) {
      const server = await discovered();
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(server, callback, checks);
      const claims = tokens.claims();
      if (!claims) throw new Error("the provider sent no ID token");
      const hasUserinfo = server.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasUserinfo ? await client.fetchUserInfo(server, tokens.access_token, claims.sub) : {};
      const all: Readonly<Record<string, unknown>> = { ...more, ...claims };
      const isVerified = all.email_verified === true || (isEmailTrusted && all.email_verified === undefined);
      return {
        subject: claims.sub,
        email: isVerified && typeof all.email === "string" ? all.email : undefined,
        groups:
          all[groupsClaim] === undefined
            ? undefined
            : [all[groupsClaim]].flat().filter((each) => typeof each === "string"),
      };
    },
  };
}
