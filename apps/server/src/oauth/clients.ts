import { hash } from "node:crypto";
import { ChestError } from "@chest/contracts";
import { nameTrouble } from "@chest/core/access";
import { z } from "zod";
import { guardedRequest } from "../outbound/guarded-request.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Schemes that no redirect may have: the browser handles them itself, or they start a program of the system. */
const NO_APP = new Set(
  (
    "javascript data file blob about vbscript ws wss ftp filesystem view-source chrome chrome-extension moz-extension edge " +
    "intent mailto tel sms search search-ms shell ldap ssh telnet smb"
  )
    .split(" ")
    .map((scheme) => `${scheme}:`),
);
/** URL schemes of Windows that start a program. */
const OF_THE_SYSTEM = /^ms-/;

/** Registration fields that are used. The answer to a registration leaves out all others. */
const REGISTRATION = z.object({
  redirect_uris: z.array(z.string().max(500)).min(1).max(10),
  client_name: z.string().max(200).optional(),
});

/** Builds the metadata of a public client; the same registration always gets the same id. */
export function registeredClient(
  registration: unknown,
): Readonly<Record<string, unknown>> & { readonly client_id: string } {
  const read = REGISTRATION.safeParse(registration);
  if (!read.success) throw badMetadata(`${read.error.issues[0]?.path.join(".")}: ${read.error.issues[0]?.message}`);
  for (const uri of read.data.redirect_uris) assertRedirect(uri);
  const uris = [...new Set(read.data.redirect_uris.map(anyPort))].sort();
  const name = (read.data.client_name ?? "").trim().slice(0, 100);
  const metadata = {
    ...(name !== "" && nameTrouble(name) === undefined && { client_name: name }),
    redirect_uris: uris,
    application_type: uris.every((uri) => uri.startsWith("https:")) ? "web" : "native",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  return { client_id: `dyn_${hash("sha256", JSON.stringify(metadata), "base64url").slice(0, 32)}`, ...metadata };
}

/**
 * Removes the port of a loopback address. A client on this machine listens on a new port each time, so RFC 8252 ignores
 * the port.
 */
function anyPort(uri: string): string {
  const url = new URL(uri);
  if (url.protocol !== "http:") return uri;
  url.port = "";
  return url.href;
}

/** Accepts https, http to this machine, and custom schemes of apps. */
function assertRedirect(uri: string): void {
  const url = URL.parse(uri);
  if (url === null || `${url.hash}${url.username}${url.password}` !== "") throw badRedirect(uri);
  if (NO_APP.has(url.protocol) || OF_THE_SYSTEM.test(url.protocol)) throw badRedirect(uri);
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname)) throw badRedirect(uri);
  if (url.protocol === "https:" && LOOPBACK.has(url.hostname)) throw badRedirect(uri);
}

/** Refusal with the error codes of RFC 7591. */
class BadMetadata extends Error {
  override readonly name = "BadMetadata";
  readonly error: "invalid_client_metadata" | "invalid_redirect_uri";

  constructor(error: BadMetadata["error"], message: string) {
    super(message);
    this.error = error;
  }
}

const badMetadata = (why: string) => new BadMetadata("invalid_client_metadata", why);
const badRedirect = (uri: string) =>
  new BadMetadata(
    "invalid_redirect_uri",
    `redirect_uris: \`${uri}\` is neither https, http to this machine, nor an app`,
  );

/** Tells whether a client document may be fetched from its host. */
export const isKnownHost = (clientId: string, hosts: readonly string[]): boolean => {
  const host = URL.parse(clientId)?.host;
  return host !== undefined && hosts.includes(host);
};

const DOCUMENT_BYTES = 16 * 1024;

/** Fetches client documents, never from a private address unless private addresses are allowed. */
export const documentFetch =
  (allowPrivate: boolean): typeof fetch =>
  async (input) => {
    const url = new URL(String(input));
    if (url.protocol !== "https:") throw new ChestError("INVALID_INPUT", "a client document is read over https only");
    const headers = { accept: "application/json" };
    const limits = { timeoutMs: 2500, maxBytes: DOCUMENT_BYTES, allowPrivate };
    const answer = await guardedRequest(url, { method: "GET", headers, ...limits });
    const { "cache-control": cacheControl } = answer.headers;
    const kept = cacheControl === undefined ? {} : { "cache-control": cacheControl };
    return new Response(withType(answer.body, url.href), { status: answer.status, headers: kept });
  };

/**
 * Marks a client with a loopback redirect as native, since its port changes each time even if its document does not say
 * so.
 */
function withType(body: string, url: string): string {
  try {
    const document = JSON.parse(body);
    if (document.client_id !== url || document.application_type !== undefined) return body;
    const uris: unknown[] = Array.isArray(document.redirect_uris) ? document.redirect_uris : [];
    const isNative = uris.some((uri) => typeof uri === "string" && !uri.startsWith("https:"));
    return isNative ? JSON.stringify({ ...document, application_type: "native" }) : body;
  } catch {
    return body; // The library reports the fault in the document.
  }
}
