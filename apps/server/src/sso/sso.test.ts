import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hashSecret } from "@chest/core/access";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openIdentityProvider } from "../testing/identity-provider.ts";
import { CookieBrowser } from "../testing/oauth-browser.ts";
import { aPort } from "../testing/process.ts";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

const RULES = { CHEST_OIDC_ALLOWED_DOMAINS: "acme.example", CHEST_OIDC_ADMIN_GROUPS: "chest-admins" };
const ALICE = { sub: "a-1", email: "alice@acme.example", email_verified: true };

async function openBackend(port: number, env: Record<string, string>) {
  const secrets = { CHEST_OIDC_CLIENT_ID: "chest", CHEST_OIDC_CLIENT_SECRET: "a-secret" };
  const backend = await openSqliteApp({ CHEST_PUBLIC_URL: `http://127.0.0.1:${port}`, ...secrets, ...RULES, ...env });
  await backend.app.listen({ port, host: "127.0.0.1" });
  return backend;
}

/** Follows a browser from the page to the provider and back. @returns the final address. */
async function signIn(base: string, browser = new CookieBrowser(base), provider = new CookieBrowser(base)) {
  let url = `${base}/api/sso/begin?to=/people`;
  for (let hops = 0; hops < 10; hops++) {
    const answer = await (url.startsWith(base) ? browser : provider).go(url);
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`${answer.status} at ${url}: ${await answer.text()}`);
    url = new URL(location, url).href;
    if (url.startsWith(`${base}/#`)) return { end: url.slice(base.length), browser };
  }
  throw new Error("sent around in a circle");
}
const whoami = async (browser: CookieBrowser) => (await browser.go("/api/sign-in")).json();

describe("signing in by an OpenID provider", () => {
  let idp: Awaited<ReturnType<typeof openIdentityProvider>>;
  let backend: SqliteApp;
  let base: string;
  beforeEach(async () => {
    const port = await aPort();
    base = `http://127.0.0.1:${port}`;
    idp = await openIdentityProvider(`${base}/api/sso/callback`);
    backend = await openBackend(port, { CHEST_OIDC_ISSUER: idp.issuer });
    idp.be(ALICE);
  });
  afterEach(async () => {
    idp.close();
    await backend.close();
  });

  it("makes a member of an allowed domain at the first sign-in, and recognises it under another address", async () => {
    expect((await backend.get("/api/sso")).body).toEqual({ provider: "openid" });
    const { end, browser } = await signIn(base);
    expect(end).toBe("/#/people");
    expect(await whoami(browser)).toMatchObject({ member: ALICE.email, role: "member", scopes: ["read", "write"] });

    idp.be({ ...ALICE, email: "alice.new@acme.example" });
    expect(await whoami((await signIn(base)).browser)).toMatchObject({ member: ALICE.email });
    expect((await backend.engine.access.members()).filter(({ name }) => name.includes("@"))).toHaveLength(1);
  });

  it("gives and removes the admin role with the group", async () => {
    idp.be({ ...ALICE, groups: ["chest-admins"] });
    const first = await signIn(base);
    expect(await whoami(first.browser)).toMatchObject({ role: "admin", scopes: expect.arrayContaining(["admin"]) });

    idp.be(ALICE);
    const second = await signIn(base);
    expect(await whoami(first.browser)).toMatchObject({ error: { code: "UNAUTHORIZED" } });
    expect(await whoami(second.browser)).toMatchObject({ role: "member", scopes: ["read", "write"] });
  });

  it.each([
    ["another domain", { email: "eve@evil.example" }],
    ["a domain that only ends alike", { email: "eve@notacme.example" }],
    ["an address that was not verified", { email_verified: false }],
  ])("lets nobody in with %s", async (_, over) => {
    idp.be({ sub: "e-1", email: "eve@acme.example", email_verified: true, ...over });
    const { end, browser } = await signIn(base);
    expect(end).toBe("/#/sign-in?sso=refused");
    expect(await whoami(browser)).toMatchObject({ error: { code: "UNAUTHORIZED" } });
    expect((await backend.engine.access.members()).some(({ name }) => name.includes("@"))).toBe(false);
  });

  it("accepts a clock that is five minutes off, and no more", async () => {
    // By the provider's clock, its token expires a minute later.
    idp.setClock(-300);
    expect((await signIn(base)).end).toBe("/#/people");
    idp.setClock(-420);
    expect((await signIn(base)).end).toBe("/#/sign-in?sso=over");
  });

  it("lets no other account become the member of an address that was given away", async () => {
    await signIn(base);
    idp.be({ ...ALICE, sub: "another" });
    expect((await signIn(base)).end).toBe("/#/sign-in?sso=refused");
  });

  it("disables a member that is no longer allowed, and never enables one that was disabled", async () => {
    const { browser } = await signIn(base);
    idp.be({ ...ALICE, email: "alice@elsewhere.example", groups: [] });
    expect((await signIn(base)).end).toBe("/#/sign-in?sso=refused");
    expect(await whoami(browser)).toMatchObject({ error: { code: "UNAUTHORIZED" } });

    idp.be(ALICE);
    expect((await signIn(base)).end).toBe("/#/sign-in?sso=disabled");
  });

  it("refuses on a missing claim, and disables on one that says no", async () => {
    const { browser } = await signIn(base);
    for (const over of [{ email: undefined }, { email_verified: false }, { email: "alice@elsewhere.example" }]) {
      idp.be({ ...ALICE, ...over } as typeof ALICE);
      expect((await signIn(base)).end).toBe("/#/sign-in?sso=refused");
    }
    expect(await whoami(browser)).toMatchObject({ member: ALICE.email });
    idp.be(ALICE);
    expect((await signIn(base)).end).toBe("/#/people");
  });

  it.each([
    ["a plus", "ann+chest@acme.example", "ann-chest@acme.example"],
    ["an apostrophe", "o'brien@acme.example", "o-brien@acme.example"],
    ["letters with marks", "jos\u00e9@acme.example", "jose@acme.example"],
    ["letters of another script", "\u5c71\u7530@acme.example", "acme.example"],
    ["many letters", `${"x".repeat(90)}@acme.example`, "x".repeat(64)],
  ])("signs in an address with %s, under a valid name", async (_, email, name) => {
    idp.be({ sub: "odd", email, email_verified: true });
    const { end, browser } = await signIn(base);
    expect(end).toBe("/#/people");
    expect(await whoami(browser)).toMatchObject({ member: name });
    // A second person whose address makes the same name becomes another member.
    idp.be({ sub: "other", email: email.replace(/^/, "."), email_verified: true });
    const other = (await whoami((await signIn(base)).browser)) as { member: string };
    expect(other.member).toMatch(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/);
    expect(other.member).not.toBe(name);
  });

  it("takes over no member that an operator made, unless the configuration names it", async () => {
    await backend.admin.addMember({ name: ALICE.email });
    expect((await signIn(base)).end).toBe("/#/sign-in?sso=refused");
    expect(backend.log.error).toHaveBeenCalledWith(expect.objectContaining({ reason: "refused" }), expect.anything());

    const port = await aPort();
    const at = `http://127.0.0.1:${port}`;
    const other = await openIdentityProvider(`${at}/api/sso/callback`);
    const named = await openBackend(port, { CHEST_OIDC_ISSUER: other.issuer, CHEST_OIDC_ADOPTED_MEMBERS: ALICE.email });
    await named.admin.addMember({ name: ALICE.email });
    other.be(ALICE);
    expect(await whoami((await signIn(at)).browser)).toMatchObject({ member: ALICE.email });
    other.close();
    await named.close();
  });

  it("makes one member of two simultaneous first sign-ins", async () => {
    const ends = await Promise.all([signIn(base), signIn(base)]);
    expect(ends.map(({ end }) => end)).toEqual(["/#/people", "/#/people"]);
    expect((await backend.engine.access.members()).filter(({ name }) => name.includes("@"))).toHaveLength(1);
  });

  it("drops requests that have ended", async () => {
    const browser = new CookieBrowser(base);
    const state = async () =>
      new URL((await browser.go("/api/sso/begin")).headers.get("location") ?? "").searchParams.get("state") ?? "";
    const first = await state();
    backend.advance(11 * 60_000);
    await state();
    backend.advance(-11 * 60_000);
    expect(await backend.engine.authorizations.find("SsoRequest", hashSecret(first))).toBeUndefined();
  });

  it("needs the browser that began, works once, and redirects to no other site", async () => {
    const browser = new CookieBrowser(base);
    const sent = (await browser.go("/api/sso/begin")).headers.get("location") ?? "";
    const state = new URL(sent).searchParams.get("state");
    const forged = await new CookieBrowser(base).go(`/api/sso/callback?code=x&state=${state}`);
    expect(forged.headers.get("location")).toBe(`${base}/#/sign-in?sso=over`);
    const wrong = await browser.go("/api/sso/callback?code=x&state=another");
    expect(wrong.headers.get("location")).toBe(`${base}/#/sign-in?sso=over`);
    for (const to of ["//evil.example", "https://evil.example", "/\\evil.example"]) {
      const answer = await browser.go(`/api/sso/begin?to=${encodeURIComponent(to)}`);
      const location = answer.headers.get("location") ?? "";
      expect(location.startsWith("https://evil") || location.startsWith("//")).toBe(false);
    }
  });

  it("says that the provider is away, and works again when it is back", async () => {
    idp.close();
    expect((await signIn(base)).end).toBe("/#/sign-in?sso=away");
    expect(backend.log.error).toHaveBeenCalledWith(expect.anything(), expect.stringContaining("identity provider"));
  });
});

it("signs in by GitHub, with its organisations as groups", async () => {
  const github = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://github");
    const answers: Record<string, unknown> = {
      "/login/oauth/access_token": { access_token: "t" },
      "/api/v3/user": { id: 7, login: "ann" },
      "/api/v3/user/emails": [
        { email: "ann@home.example", primary: true, verified: true },
        { email: "other@home.example", primary: false, verified: true },
      ],
      "/api/v3/user/orgs": [{ login: "acme" }],
    };
    if (pathname !== "/login/oauth/authorize") return response.end(JSON.stringify(answers[pathname]));
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({ code: "c", state: searchParams.get("state") ?? "" }).toString();
    response.writeHead(302, { location: back.href }).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => github.once("listening", resolve));
  const port = await aPort();
  const backend = await openBackend(port, {
    CHEST_OIDC_PROVIDER: "github",
    CHEST_OIDC_ISSUER: `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
    CHEST_OIDC_ALLOWED_GROUPS: "acme",
  });

  const { end, browser } = await signIn(`http://127.0.0.1:${port}`);
  expect(end).toBe("/#/people");
  expect(await whoami(browser)).toMatchObject({ member: "ann@home.example" });
  github.closeAllConnections();
  github.close();
  await backend.close();
});
