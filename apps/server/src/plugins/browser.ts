import { hash } from "node:crypto";
import { ChestError } from "@chest/contracts";
import { type AccessBook, LOCAL, nameTrouble, readToken, SHARED, type Tie, writeToken } from "@chest/core";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { type Identity, type Login, tokenOf } from "./authenticate.ts";

const PLAIN = "chest_session";
/** A browser takes a cookie of this name only over TLS and for the whole host. */
const WHOLE_HOST = "__Host-chest_session";

export function readCookies({ headers }: Pick<FastifyRequest, "headers">): ReadonlyMap<string, string> {
  return new Map(
    (headers.cookie ?? "").split(";").map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [name.trim(), value.join("=").trim()] as const;
    }),
  );
}

/** Reads the session cookie; undefined where there is none. */
export function cookieOf(request: Pick<FastifyRequest, "headers">): string | undefined {
  const cookies = readCookies(request);
  return cookies.get(WHOLE_HOST) ?? cookies.get(PLAIN);
}

/** Builds the session cookie. It has no end of its own: the backend knows when. */
export function writeCookie(request: Pick<FastifyRequest, "headers">, value: string, path: string): string {
  // The page is open over TLS when its origin says so; proxies in between may not tell.
  const isSecure = request.headers.origin?.startsWith("https://") ?? false;
  const name = isSecure && path === "/" ? WHOLE_HOST : PLAIN;
  return [`${name}=${value}`, "HttpOnly", "SameSite=Lax", `Path=${path}`, ...(isSecure ? ["Secure"] : [])].join("; ");
}

/** Refuses a change that another site had the browser make. */
export function assertSameOrigin({ headers, host, hostname }: FastifyRequest): void {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  const own = URL.parse(origin ?? "");
  // Browsers that say so themselves are right also where a proxy leaves the port out of `Host`.
  const isOwn = site === undefined ? own?.host === host : site === "same-origin" && own?.hostname === hostname;
  if (isOwn) return;
  throw new ChestError("FORBIDDEN", "this change does not come from the page of this backend", {
    hint: "send `Authorization: Bearer …` from programs; in a browser open the page at its own address",
  });
}

/** Knows the member behind a session cookie, now; undefined where it opens nothing, or no longer. */
export type BrowserLogin = (cookie: string, request: FastifyRequest) => Promise<Identity | undefined>;

export function openBrowserLogin({ tokens, scopes }: Config["access"], book: Pick<AccessBook, "bearer">): BrowserLogin {
  return async (cookie, request) => {
    const found = await book.bearer(cookie, "session");
    if (found && found.member.id !== SHARED.id) return mayBe(found, request) ? found : undefined;
    for (const token of tokens) {
      const tied = await book.bearer(tiedCookie(cookie, token), "session");
      if (tied?.member.id === SHARED.id) return { ...tied, scopes: tied.scopes.intersection(scopes) };
    }
    return undefined;
  };
}

/** Knows who a request comes from: by its token, or without one by its cookie. */
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
 * The member `local` is the user of this machine: requests through a proxy or from another machine cannot sign in as
 * it.
 */
export const mayBe = ({ member }: Pick<Identity, "member">, { socket, headers }: FastifyRequest): boolean =>
  member.id !== LOCAL.id ||
  (/^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? "") &&
    headers["x-forwarded-for"] === undefined &&
    headers.forwarded === undefined);

/** Ties a sign-in of the member `shared` to the token that all share: once that is changed, the cookie opens nothing. */
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

/** Names browser and system, for the list of sign-ins. */
export function browserLabel({ headers }: Pick<FastifyRequest, "headers">): string {
  const agent = headers["user-agent"] ?? "";
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1];
  const system = SYSTEMS.find((name) => agent.includes(name))?.replace("Macintosh", "macOS");
  const label = browser && system ? `${browser}, ${system}` : agent.slice(0, 60).trim();
  return nameTrouble(label) === undefined ? label : "";
}
