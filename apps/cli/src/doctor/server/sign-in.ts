import type { IncomingMessage } from "node:http";
import { rootCertificates } from "node:tls";
import type { HostFacts } from "@chest/contracts";
import type { Check, Finding } from "../check.ts";
import { from, type InspectedServer } from "./target.ts";

/** Difference between clocks above which provider and backend refuse each other's tokens. */
const CLOCK_S = 300;
const MOST_BYTES = 1024 * 1024;

type SignIn = NonNullable<HostFacts["sign_in"]>;
type Judge = (signIn: SignIn, inspected: InspectedServer, signal: AbortSignal) => Promise<Finding>;

const about = (id: string, title: string, judge: Judge): Check<InspectedServer> => ({
  id: `server.${id}`,
  title,
  run: (inspected, signal) =>
    from(inspected.host(), ({ sign_in: reported }, source) => {
      if (source !== "backend") return { status: "skip", message: "only a running backend can tell" };
      if (!reported) return { status: "skip", message: "it takes a backend of this release to tell" };
      return judge(reported, inspected, signal);
    }),
});

const oauth = about(
  "oauth",
  "OAuth clients find it at its public address",
  async ({ public_url: base }, inspected, signal) => {
    if (base === null) return { status: "skip", message: "CHEST_PUBLIC_URL is not set: OAuth clients cannot connect" };
    const { origin, pathname } = new URL(base);
    const prefix = pathname.replace(/(?<!\/)\/+$/, "");
    const documents = [
      {
        path: `/.well-known/oauth-protected-resource${prefix}/mcp/oauth`,
        field: "resource",
        is: `${origin}${prefix}/mcp/oauth`,
      },
      {
        path: `/.well-known/oauth-authorization-server${prefix}/oauth`,
        field: "issuer",
        is: `${origin}${prefix}/oauth`,
      },
    ];
    for (const { path, field, is } of documents) {
      const url = `${origin}${path}`;
      const reported = await ask(url, inspected, signal);
      if ("trouble" in reported)
        return { status: "fail", message: `${url} cannot be reached from here: ${reported.trouble}` };
      const shown = jsonOf(reported.body)?.[field];
      if (reported.status !== 200 || shown === undefined) {
        const why = `${url} answers ${reported.status} and holds no metadata: the proxy in front does not forward this path (docs/connect.md)`;
        return { status: "fail", message: why };
      }
      if (shown !== is) return { status: "fail", message: `${url} tells of another ${field}, not of ${is}` };
    }
    return { status: "ok", message: `${origin}${prefix}/mcp/oauth, its metadata as clients look for it` };
  },
);

const sso = about(
  "sso",
  "the identity provider answers, and knows this backend",
  async (reported, inspected, signal) => {
    const { public_url: base, sso: provider } = reported;
    if (provider === null || base === null) return { status: "skip", message: "no identity provider is configured" };
    const { issuer, client_id } = provider;
    const discovery = `${issuer}/.well-known/openid-configuration`;
    const isGithub = provider.provider === "github";
    const first = isGithub ? issuer : discovery;
    const found = await ask(first, inspected, signal);
    if ("trouble" in found)
      return { status: "fail", message: `${first} cannot be reached from here: ${found.trouble}` };
    if (isGithub) return { status: "ok", message: `${issuer} answers; it has nothing to discover` };
    const metadata = found.status === 200 ? jsonOf(found.body) : undefined;
    if (!metadata)
      return {
        status: "fail",
        message: `${first} answers ${found.status}: CHEST_OIDC_ISSUER is not an OpenID issuer`,
      };
    if (String(metadata.issuer).replace(/(?<!\/)\/+$/, "") !== issuer)
      return { status: "fail", message: "the provider names another issuer than CHEST_OIDC_ISSUER does" };
    const apart = found.date === undefined ? 0 : Math.round((found.date - inspected.now().getTime()) / 1000);
    if (Math.abs(apart) > CLOCK_S) {
      const message = `the provider's clock and this one are ${Math.abs(apart)} s apart: more than five minutes, and no sign-in succeeds`;
      return { status: "fail", message, fix: "timedatectl set-ntp true" };
    }
    const callback = `${base.replace(/(?<!\/)\/+$/, "")}/api/sso/callback`;
    const fields = { client_id, redirect_uri: callback, response_type: "code", scope: "openid", state: "doctor" };
    const begin = `${metadata.authorization_endpoint}?${new URLSearchParams(fields)}`;
    const begun = await ask(begin, inspected, signal);
    const isRefused = "trouble" in begun || begun.status >= 400;
    if (isRefused) {
      const message = `the provider begins no sign-in for this backend: register the callback ${callback} there, for client ${client_id}`;
      return { status: "fail", message };
    }
    return {
      status: "ok",
      message: `${issuer}, clocks ${Math.abs(apart)} s apart; it begins a sign-in that leads back to ${callback}`,
    };
  },
);

/** Checks in the order of the report. */
export const signInChecks = [oauth, sso];

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly date: number | undefined;
}

/** Sends one request, and follows no redirect. */
async function ask(
  url: string,
  { reach: { ca } }: InspectedServer,
  signal: AbortSignal,
): Promise<Answer | { readonly trouble: string }> {
  if (!URL.canParse(url)) return { trouble: "it is not an address" };
  const isPlain = url.startsWith("http:");
  const { request } = isPlain ? await import("node:http") : await import("node:https");
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { signal, agent: false, ...trusted }, resolve)
        .on("error", reject)
        .end();
    });
    let body = "";
    for await (const chunk of answer) {
      body += chunk;
      if (body.length > MOST_BYTES) break;
    }
    const date = Date.parse(answer.headers.date ?? "");
    return { status: answer.statusCode ?? 0, body, date: Number.isNaN(date) ? undefined : date };
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return { trouble: code ?? name };
  }
}

function jsonOf(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
