import { hash } from "node:crypto";
import { ChestError } from "@chest/contracts";
import { LOCAL, nameTrouble, readToken, SHARED, type Tie, writeToken } from "@chest/core/access";
import type { AccessBook } from "@chest/core/ports";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { type Identity, type Login, tokenOf } from "./authenticate.ts";

const PLAIN = "chest_session";
/** Browsers accept a cookie with this name prefix only over TLS and for the whole host. */
const WHOLE_HOST = "__Host-chest_session";

export function readCookies({ headers }: Pick<FastifyRequest, "headers">): ReadonlyMap<string, string> {
  return new Map(
    (headers.cookie ?? "").split(";").map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [name.trim(), value.join("=").trim()] as const;
    }),
  );
}

/** Reads the session cookie; undefined without one. */
export function cookieOf(request: Pick<FastifyRequest, "headers">): string | undefined {
  const cookies = readCookies(request);
  return cookies.get(WHOLE_HOST) ?? cookies.get(PLAIN);
}

/** Builds the session cookie. The cookie itself does not expire; the backend decides when the session ends. */
export function writeCookie(request: Pick<FastifyRequest, "headers">, value: string, path: string): string {
  // The page is open over TLS when its origin says so; proxies may hide this from the backend.
  const isSecure = request.headers.origin?.startsWith("https://") ?? false;
  const name = isSecure && path === "/" ? WHOLE_HOST : PLAIN;
  return [`${name}=${value}`, "HttpOnly", "SameSite=Lax", `Path=${path}`, ...(isSecure ? ["Secure"] : [])].join("; ");
}

/** Refuses a change that another site made the browser send. */
export function assertSameOrigin({ headers, host, hostname }: FastifyRequest): void {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  const own = URL.parse(origin ?? "");
  // `Sec-Fetch-Site` is right even where a proxy removes the port from `Host`.
  const isOwn = site === undefined ? own?.host === host : site === "same-origin" && own?.hostname === hostname;
  if (isOwn) return;
  throw new ChestError("FORBIDDEN", "this change does not come from the page of this backend", {
    hint: "send `Authorization: Bearer …` from programs; in a browser open the page at its own address",
  });
}

/** Looks up the member of a session cookie now; undefined when the session is unknown or has ended. */
export type BrowserLogin = (cookie: string, request: FastifyRequest) => Promise<Identity | undefined>;

export function openBrowserLogin({ tokens, scopes }: Config["access"], book: Pick<AccessBook, "bearer">): BrowserLogin {
  return async (cookie, request) => {
    const found = await book.bearer(cookie, "session");
    if (found && found.member.id !== SHARED.id) return maySignInAs(found, request) ? found : undefined;
    for (const token of tokens) {
      const tied = await book.bearer(tiedCookie(cookie, token), "session");
      if (tied?.member.id === SHARED.id) return { ...tied, scopes: tied.scopes.intersection(scopes) };
    }
    return undefined;
  };
}

/** Authenticates a request by its token, or by its cookie when it has no token. */
export async function identityOf(
  request: FastifyRequest,
  login: Login,
  browserLogin: BrowserLogin,
): Promise<Identity | undefined> {
  const token = tokenOf(request);
  if (token !== undefined) return login(token);
  const cookie = cookieOf(request);
  return cookie === undefined ? undefined : browserLogin(cookie, request);
}

/**
 * Tells whether a request may sign in as this member. The member `local` is the user of this machine, so a request
 * through a proxy or from another machine may not sign in as `local`.
 */
export const maySignInAs = ({ member }: Pick<Identity, "member">, { socket, headers }: FastifyRequest): boolean =>
  member.id !== LOCAL.id ||
  (/^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? "") &&
    headers["x-forwarded-for"] === undefined &&
    headers.forwarded === undefined);

/** Ties a sign-in of the member `shared` to the shared token: when the token changes, the cookie is void. */
export const tieTo =
  (token: string): Tie =>
  (secret) =>
    hash("sha256", `${secret}\n${token}`, "base64url");

function tiedCookie(cookie: string, token: string): string {
  const parts = readToken(cookie);
  return parts ? writeToken({ id: parts.id, secret: tieTo(token)(parts.secret) }) : "";
}

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux"] as const;

/** Names browser and system from the `User-Agent`, for the list of sign-ins. */
export function browserLabel({ headers }: Pick<FastifyRequest, "headers">): string {
  const agent = headers["user-agent"] ?? "";
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1];
  const system = SYSTEMS.find((name) => agent.includes(name))?.replace("Macintosh", "macOS");
  const label = browser && system ? `${browser}, ${system}` : agent.slice(0, 60).trim();
  return nameTrouble(label) === undefined ? label : "";
}
