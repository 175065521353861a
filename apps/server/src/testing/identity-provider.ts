import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export interface Account {
  readonly sub: string;
  readonly email?: string | undefined;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

const LIFETIME_S = 60;
const { privateKey: KEY } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Signs an answer's ID token again with shifted times. */
function moved(body: string, seconds: number): string {
  const { id_token: token, ...rest } = JSON.parse(body);
  if (token === undefined || seconds === 0) return body;
  const [head, payload] = String(token).split(".");
  const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString());
  const late = { ...claims, iat: claims.iat + seconds, exp: claims.exp + seconds };
  const text = `${head}.${Buffer.from(JSON.stringify(late)).toString("base64url")}`;
  return JSON.stringify({
    ...rest,
    id_token: `${text}.${sign("sha256", Buffer.from(text), KEY).toString("base64url")}`,
  });
}

/** Identity provider that signs every visitor in as the configured account. */
export async function openIdentityProvider(callback: string) {
  let account: Account = { sub: "nobody", email: "nobody@acme.example", email_verified: true };
  let aheadS = 0;
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "chest", client_secret: "a-secret", redirect_uris: [callback] }],
    claims: { openid: ["sub"], email: ["email", "email_verified", "groups"], profile: [] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["k"] },
    ttl: { IdToken: LIFETIME_S },
    jwks: { keys: [KEY.export({ format: "jwk" })] },
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...account, sub }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  });
  const answer = provider.callback();
  server.on("request", async (request, response) => {
    if (request.url === "/token") {
      const end = response.end.bind(response);
      Object.assign(response, { end: (body: string) => end(moved(body, aheadS)) });
    }
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
    /** Shifts the clock by which ID tokens are made. */
    setClock: (seconds: number) => {
      aheadS = seconds;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
