import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export interface Account {
  readonly sub: string;
  readonly email: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

/** A company's identity provider: whoever comes is signed in as the account that is set. */
export async function openIdentityProvider(callback: string) {
  let account: Account = { sub: "nobody", email: "nobody@acme.example", email_verified: true };
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "chest", client_secret: "a-secret", redirect_uris: [callback] }],
    claims: { openid: ["sub"], email: ["email", "email_verified", "groups"], profile: [] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["k"] },
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...account, sub }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  });
  const answer = provider.callback();
  server.on("request", async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return answer(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const grant = new provider.Grant({ accountId: account.sub, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const result = { login: { accountId: account.sub, remember: false }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result);
  });
  return {
    issuer,
    be: (next: Account) => {
      account = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
