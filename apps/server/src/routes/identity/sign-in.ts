import { ChestError, endpoints, type WhoamiView } from "@chest/contracts";
import {
  type Caller,
  keysToldTo,
  type Member,
  openSignInAdmin,
  SHARED,
  SIGN_IN_FIELDS,
  signInByLink,
  signInWith,
} from "@chest/core/access";
import type { AccessBook, Clock } from "@chest/core/ports";
import { readFields } from "@chest/core/tool";
import { RELEASE } from "@chest/runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { unauthorized } from "../../plugins/auth.ts";
import type { Identity, Login } from "../../plugins/authenticate.ts";
import {
  assertSameOrigin,
  type BrowserLogin,
  browserLabel,
  cookieOf,
  maySignInAs,
  tieTo,
  writeCookie,
} from "../../plugins/browser.ts";
import { PAGE_CLIENT, writeCallOf } from "../../plugins/caller.ts";
import type { Spend } from "../../plugins/rate-limit.ts";
import { serve } from "../define-route.ts";

export interface SignInOptions {
  readonly access: AccessBook;
  readonly shared: Config["access"];
  readonly login: Login;
  readonly browserLogin: BrowserLogin;
  readonly failedLogins: Spend;
  readonly clock: Clock;
}

interface SignedIn {
  readonly rights: Identity;
  readonly cookie: string;
}

/** Routes of signing in to the page, and of the list of signed-in browsers. */
export function signInRoutes(
  app: FastifyInstance,
  { access, shared, login, browserLogin, failedLogins, clock }: SignInOptions,
): void {
  const admin = (request: FastifyRequest, reply: FastifyReply) => {
    const call = writeCallOf(request, reply);
    return openSignInAdmin(access, call.caller, clock, call);
  };

  async function byToken(request: FastifyRequest, token: string): Promise<SignedIn | undefined> {
    const rights = await login(token);
    if (!rights) return undefined;
    const tie = rights.member.id === SHARED.id ? tieTo(token) : undefined;
    const cookie = await signInWith(access, rights, browserOf(request), tie);
    return cookie === undefined ? undefined : { rights, cookie };
  }

  async function byLink(request: FastifyRequest, link: string, replaces?: string): Promise<SignedIn | undefined> {
    const rights = await access.bearer(link, "link");
    if (!rights || !maySignInAs(rights, request)) return undefined;
    const cookie = cookieOf(request);
    const present = cookie === undefined ? undefined : await browserLogin(cookie, request);
    if (present && present.member.id !== rights.member.id && present.member.name !== replaces)
      throw otherMemberSignedIn(present.member, rights.member);
    // A link does not record which of the two shared tokens made it, so the sign-in is tied to the current one.
    const tie = rights.member.id === SHARED.id ? tieTo(shared.tokens[0]) : undefined;
    const made = await signInByLink(access, rights, browserOf(request), tie);
    return made === undefined ? undefined : { rights, cookie: made };
  }

  serve(
    app,
    endpoints.signIn,
    async (request, reply) => {
      assertSameOrigin(request);
      const { token, link, at, replaces } = readFields(SIGN_IN_FIELDS.signIn, request.body);
      if ((token === undefined) === (link === undefined)) throw oneOfBoth();
      const entered = link === undefined ? await byToken(request, token ?? "") : await byLink(request, link, replaces);
      if (!entered) {
        await failedLogins(request);
        throw link === undefined ? unauthorized() : linkEnded();
      }
      reply.header("set-cookie", writeCookie(request, entered.cookie, at));
      return viewOf(access, entered.rights);
    },
    { body: SIGN_IN_FIELDS.signIn },
  );
  serve(app, endpoints.whoami, async ({ caller }) => viewOf(access, caller ?? noCaller()));
  serve(app, endpoints.listSignIns, async (request, reply) => ({ sign_ins: await admin(request, reply).list() }));
  serve(app, endpoints.endSignIn, async (request, reply) => admin(request, reply).end(request.params), {
    params: SIGN_IN_FIELDS.id,
  });
  serve(
    app,
    endpoints.createSignInLink,
    async (request, reply) => admin(request, reply).createLink(request.body ?? {}),
    {
      body: SIGN_IN_FIELDS.link,
    },
  );
}

const browserOf = (request: FastifyRequest) => ({
  label: browserLabel(request),
  client: PAGE_CLIENT,
});

async function viewOf(access: AccessBook, caller: Pick<Caller, "member" | "scopes" | "token">): Promise<WhoamiView> {
  const { member, scopes, token } = caller;
  const role = (await access.memberByName(member.name))?.role ?? "member";
  const keys = token?.projectIds && keysToldTo(await access.projects(), caller);
  return {
    member: member.name,
    role,
    scopes: [...scopes],
    ...(keys && { projects: token.projectIds?.flatMap((id) => keys.get(id) ?? []) ?? [] }),
    ...(token?.signIn && { sign_in: token.id }),
    server_version: RELEASE,
  };
}

const oneOfBoth = (): ChestError =>
  new ChestError("VALIDATION_ERROR", "give either `token` or `link`", {
    details: { issues: [{ path: "token", message: "either this or `link`" }] },
  });

/** The link stays valid, and its holder may learn which member it is for. */
const otherMemberSignedIn = (present: Member, other: Member): ChestError =>
  new ChestError(
    "FORBIDDEN",
    `this browser is signed in as \`${present.name}\`, and the link is for \`${other.name}\``,
    {
      hint: "to sign in as the other member, send the link again with the present one in `replaces`",
      details: { signed_in_as: present.name, link_for: other.name },
    },
  );

const linkEnded = (): ChestError =>
  new ChestError("UNAUTHORIZED", "this link was used before, is older than ten minutes, or is for another machine", {
    hint: "make a new one: `chest-index page`, or start Chest again; or sign in with a token",
  });

function noCaller(): never {
  throw new Error("an open route has no caller");
}
