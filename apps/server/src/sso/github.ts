import { hash } from "node:crypto";
import { TIME_LIMITS } from "@chest/contracts";
import type { IdentityProvider, SsoConfig } from "./identity.ts";

/**
 * Sign-in through GitHub, which does not speak OpenID: its API names the account, and organisations serve as groups.
 */
export function githubProvider(config: SsoConfig, redirectUri: string): IdentityProvider {
  const { issuer, clientId, clientSecret } = config;
  const api = issuer === "https://github.com" ? "https://api.github.com" : `${issuer}/api/v3`;

  async function ask(url: string, init: RequestInit): Promise<unknown> {
    const headers = { accept: "application/json", "user-agent": "chest", ...init.headers };
    const answer = await fetch(url, {
      ...init,
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(TIME_LIMITS.identityProvider),
    });
    if (!answer.ok) throw new Error(`GitHub answered with ${answer.status}`);
    return answer.json();
  }

  return {
    async authorizationUrl({ state, verifier }) {
      const url = new URL(`${issuer}/login/oauth/authorize`);
      const challenge = hash("sha256", verifier, "base64url");
      url.search = new URLSearchParams({
        ...{ client_id: clientId, redirect_uri: redirectUri, scope: "read:user user:email read:org", state },
        ...{ code_challenge: challenge, code_challenge_method: "S256" },
      }).toString();
      return url;
    },
    async identify(callback, { state, verifier }) {
      const { searchParams } = callback;
      if (searchParams.get("state") !== state) throw new Error("another state came back");
      const body = new URLSearchParams({
        ...{ client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUri },
        ...{ code: searchParams.get("code") ?? "", code_verifier: verifier },
      });
      const granted = (await ask(`${issuer}/login/oauth/access_token`, { method: "POST", body })) as {
        readonly access_token?: string;
      };
      if (granted.access_token === undefined) throw new Error("GitHub gave no token");
      const headers = { authorization: `Bearer ${granted.access_token}` };
      const [user, emails, orgs] = await Promise.all(
        ["user", "user/emails", "user/orgs"].map((path) => ask(`${api}/${path}`, { headers })),
      );
      const mails = emails as readonly { email: string; primary: boolean; verified: boolean }[];
      return {
        subject: String((user as { id: number }).id),
        email: mails.find(({ primary, verified }) => primary && verified)?.email,
        groups: (orgs as readonly { login: string }[]).map(({ login }) => login),
      };
    },
  };
}
