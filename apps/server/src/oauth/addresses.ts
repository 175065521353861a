/** Scopes that an OAuth client may request; `operate` and `admin` are reserved for tokens that a member makes. */
export const OAUTH_SCOPES = { "memory:read": "read", "memory:write": "write" } as const;
export type OauthScope = keyof typeof OAUTH_SCOPES;

/** Path of the MCP endpoint for OAuth clients; `/mcp` does not take their tokens. */
export const RESOURCE_PATH = "/mcp/oauth";
/** Path of the authorization server. Its issuer differs from the origin, so a client of `/mcp` does not discover it. */
export const ISSUER_PATH = "/oauth";

/** Hosts whose client documents are read by default. */
export const KNOWN_CLIENT_HOSTS = ["claude.ai", "claude.com", "chatgpt.com", "vscode.dev", "cursor.com"] as const;

/** Addresses of the authorization server and its protected resource, derived from the backend's public address. */
export interface OauthAddresses {
  /** Without a slash at its end. */
  readonly base: string;
  /** Path of a proxy's prefix; empty without one. */
  readonly prefix: string;
  readonly issuer: string;
  readonly resource: string;
  /** Metadata of the protected resource, in the path form of RFC 9728. */
  readonly resourceMetadata: string;
}

export function oauthAddresses(publicUrl: string): OauthAddresses {
  const url = new URL(publicUrl);
  const prefix = url.pathname.replace(/(?<!\/)\/+$/, "");
  const base = `${url.origin}${prefix}`;
  return {
    base,
    prefix,
    issuer: `${base}${ISSUER_PATH}`,
    resource: `${base}${RESOURCE_PATH}`,
    resourceMetadata: `${url.origin}/.well-known/oauth-protected-resource${prefix}${RESOURCE_PATH}`,
  };
}

/**
 * Challenge of RFC 6750 and RFC 9728 that tells a client where to request a token, and for which scopes. It names all
 * scopes, since the member decides; only reading is ticked at first.
 */
export function challengeFor(
  { resourceMetadata }: OauthAddresses,
  error?: string,
  scopes = Object.keys(OAUTH_SCOPES).join(" "),
): string {
  const why = error === undefined ? "" : `error="${error}", `;
  return `Bearer ${why}resource_metadata="${resourceMetadata}", scope="${scopes}"`;
}

/**
 * Metadata of the authorization server, RFC 8414. A client that sees support for client documents names its document
 * and does not register.
 */
export const serverMetadata = ({ issuer }: OauthAddresses, readsDocuments: boolean): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  scopes_supported: Object.keys(OAUTH_SCOPES),
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: readsDocuments,
});

/** Metadata of the protected resource, RFC 9728. */
export const resourceMetadata = ({ issuer, resource }: OauthAddresses): object => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: Object.keys(OAUTH_SCOPES),
  bearer_methods_supported: ["header"],
  resource_name: "Chest",
});
