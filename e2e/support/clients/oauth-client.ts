import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";

/** MCP client's side of OAuth, with a callback on this machine; it keeps everything in memory. */
export async function openOauthClient(scope?: string) {
  const called = Promise.withResolvers<URL>();
  const server = createServer((request, response) => {
    response.end("back in the client");
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname === "/callback") called.resolve(url);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const kept: { tokens?: object; client?: object; verifier?: string; sentTo?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    clientMetadata: {
      client_name: "A laptop's client",
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "client_secret_post",
      ...(scope === undefined ? {} : { scope }),
    },
    state: () => "a-state",
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      kept.sentTo = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    invalidateCredentials: (what) => {
      if (what === "all" || what === "tokens") delete kept.tokens;
      if (what === "all" || what === "client") delete kept.client;
    },
    codeVerifier: () => kept.verifier ?? "",
  };
  return { provider, kept, called: called.promise, close: () => server.close() };
}
