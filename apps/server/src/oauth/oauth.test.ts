import { afterEach, beforeEach, expect, it } from "vitest";
import { CookieBrowser, pkce } from "../testing/oauth-browser.ts";
import { aPort } from "../testing/process.ts";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

const CALLBACK = "https://claude.ai/api/mcp/auth_callback";

let backend: SqliteApp;
let base: string;
let browser: CookieBrowser;
beforeEach(async () => {
  const port = await aPort();
  base = `http://127.0.0.1:${port}`;
  backend = await openSqliteApp({ CHEST_PUBLIC_URL: base });
  await backend.app.listen({ port, host: "127.0.0.1" });
  browser = new CookieBrowser(base);
});
afterEach(() => backend.close());

const post = (path: string, fields: Record<string, string>) =>
  fetch(`${base}/oauth/${path}`, { method: "POST", body: new URLSearchParams(fields) });
const register = (over: object = {}) =>
  fetch(`${base}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [CALLBACK], client_name: "Claude", ...over }),
  });

async function aClient(redirect = CALLBACK) {
  const { client_id: id } = (await (await register({ redirect_uris: [redirect] })).json()) as { client_id: string };
  const { verifier, challenge } = pkce();
  const url = (over: Record<string, string> = {}) => {
    const wanted = {
      ...{ client_id: id, redirect_uri: redirect, response_type: "code", state: "a-state" },
      ...{ code_challenge: challenge, code_challenge_method: "S256" },
      ...{ scope: "memory:read memory:write", resource: `${base}/mcp/oauth`, ...over },
    };
    const given = Object.entries(wanted).filter(([, value]) => value !== "");
    return `${base}/oauth/authorize?${new URLSearchParams(given)}`;
  };
  const exchange = (code: string, over: Record<string, string> = {}) =>
    post("token", {
      ...{ grant_type: "authorization_code", client_id: id, code, code_verifier: verifier, redirect_uri: redirect },
      ...over,
    });
  const refresh = (token: string) =>
    post("token", { grant_type: "refresh_token", client_id: id, refresh_token: token });
  return { id, url, exchange, refresh };
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Registers a client and lets a member grant it access. */
async function letIn(decision: object = { approve: true }, member = "alice") {
  const client = await aClient();
  const { token } = await backend.admin.createToken({ member });
  await browser.signIn(token);
  const back = await browser.answer(await browser.ask(client.url()), decision);
  const code = back.searchParams.get("code") ?? "";
  const tokens = (await (await client.exchange(code)).json()) as Tokens;
  return { client, back, code, tokens };
}

const call = (token: string, name: string, input: object = {}) =>
  fetch(`${base}/mcp/oauth`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } }),
  });
const A_FACT = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "deploys go out on Monday" };

it("leads a client from a refusal to its tokens, rotates them, and ends them at once", async () => {
  const stranger = await fetch(`${base}/mcp/oauth`, { method: "POST", body: "{}" });
  expect(stranger.status).toBe(401);
  const [, where = ""] = /resource_metadata="([^"]+)"/.exec(stranger.headers.get("www-authenticate") ?? "") ?? [];
  const resource = await (await fetch(where)).json();
  expect(resource).toMatchObject({ resource: `${base}/mcp/oauth`, authorization_servers: [`${base}/oauth`] });
  const server = await (await fetch(`${base}/.well-known/oauth-authorization-server/oauth`)).json();
  expect(server).toMatchObject({ issuer: `${base}/oauth`, code_challenge_methods_supported: ["S256"] });

  const { client, back, tokens } = await letIn({ approve: true, write: true });
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: "a-state", iss: `${base}/oauth` });
  expect(tokens.scope.split(" ").sort()).toEqual(["memory:read", "memory:write"]);
  expect((await call(tokens.access_token, "chest_remember", A_FACT)).status).toBe(200);

  const second = (await (await client.refresh(tokens.refresh_token)).json()) as Tokens;
  expect(second.refresh_token).not.toBe(tokens.refresh_token);
  expect((await call(second.access_token, "chest_recall", { query: "deploys" })).status).toBe(200);

  await post("revoke", { client_id: client.id, token: second.refresh_token });
  expect((await call(second.access_token, "chest_recall", { query: "deploys" })).status).toBe(401);
  expect((await client.refresh(second.refresh_token)).status).toBe(400);
});

it("lets a client read unless the member says more, in the projects that were chosen, and tells it how to ask", async () => {
  const at = { member: "alice", project: "host/org/pear" };
  await backend.store("pears are ripe in the autumn", {}, at);
  await backend.store("apples are ripe in the autumn", {}, { member: "alice", project: "host/org/apple" });
  const { tokens } = await letIn({ approve: true, projects: ["host/org/pear"] });
  expect(tokens.scope).toBe("memory:read");

  const found = await (await call(tokens.access_token, "chest_recall", { query: "ripe in the autumn" })).text();
  expect([found.includes("pears"), found.includes("apples")]).toEqual([true, false]);
  const refused = await call(tokens.access_token, "chest_remember", A_FACT);
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
    403,
    expect.stringMatching(/error="insufficient_scope".*scope="memory:read memory:write"/),
  ]);
});

it("shows a grant among the tokens, and ends it there with all its tokens", async () => {
  const { client, tokens } = await letIn();
  const { body } = await backend.get("/api/tokens", { member: "alice" });
  const grant = body.tokens.find((each: { client?: string }) => each.client === client.id);
  expect(grant).toMatchObject({ label: "Claude", scopes: ["read"], member: "alice" });

  await call(tokens.access_token, "chest_recall", { query: "deploys" });
  const { id } = await backend.admin.revokeToken({ id: grant.id });
  expect((await call(tokens.access_token, "chest_recall", { query: "deploys" })).status).toBe(401);
  expect((await client.refresh(tokens.refresh_token)).status).toBe(400);
  const { body: log } = await backend.get("/api/audit?op=grant.create", { member: "root", scopes: ["operate"] });
  expect(log.entries).toMatchObject([{ member: "alice", subject: `token:${id}` }]);
});

it("ends the family when a code is used twice, also by two at once", async () => {
  const { client, code, tokens } = await letIn();
  expect((await client.exchange(code)).status).toBe(400);
  expect((await call(tokens.access_token, "chest_recall", { query: "deploys" })).status).toBe(401);

  // Which of the two requests comes first varies, hence several rounds.
  for (let round = 0; round < 8; round++) {
    const again = await browser.answer(await browser.ask(client.url()), { approve: true });
    const second = again.searchParams.get("code") ?? "";
    const both = await Promise.all([client.exchange(second), client.exchange(second)]);
    for (const answer of both) {
      const { access_token: token = "none" } = (await answer.json()) as Partial<Tokens>;
      expect((await call(token, "chest_recall", { query: "deploys" })).status).toBe(401);
    }
  }
});

it("ends every token with the one that the member signed in with", async () => {
  const client = await aClient();
  const { token } = await backend.admin.createToken({ member: "alice", expires: "1d" });
  await browser.signIn(token);
  const back = await browser.answer(await browser.ask(client.url()), { approve: true });
  const first = (await (await client.exchange(back.searchParams.get("code") ?? "")).json()) as Tokens;
  backend.advance((24 * 60 - 2) * 60_000);
  const second = (await (await client.refresh(first.refresh_token)).json()) as Tokens;
  expect((await call(second.access_token, "chest_recall", { query: "deploys" })).status).toBe(200);
  backend.advance(10 * 60_000);
  expect((await call(second.access_token, "chest_recall", { query: "deploys" })).status).toBe(401);
});

it("keeps a limited number of unauthenticated registrations and requests", async () => {
  const client = await aClient();
  const records = backend.engine.authorizations;
  const expiresAt = new Date(Date.now() + 60_000);
  const other = (n: number) => ({ kind: "Interaction", id: `i${n}`, payload: {}, grantId: undefined, expiresAt });
  await Promise.all(Array.from({ length: 2100 }, (_, n) => records.put(other(n))));
  await browser.ask(client.url());
  expect(await records.sweep("Interaction", 2000)).toBe(0);

  const long = await browser.go(client.url({ state: "s".repeat(5000) }));
  expect([long.status, await long.json()]).toMatchObject([400, { error: { details: { field: "state" } } }]);
});

it.each(["/oauth/authorize", "/oauth/register"])(
  "answers an address a hundred times in a minute, and hardly more often: %s",
  async (url) => {
    const limited = await openSqliteApp({ CHEST_PUBLIC_URL: "https://chest.example", CHEST_RATE_LIMIT: "1000" });
    const statuses = [];
    for (let n = 0; n < 125; n++) {
      const asked = { method: url.endsWith("register") ? "POST" : "GET", url } as const;
      statuses.push((await limited.app.inject(asked)).statusCode);
    }
    await limited.close();
    expect(statuses.indexOf(429)).toBe(120);
  },
);

it("ends the family when a refresh token is used after its rotation", async () => {
  const { client, tokens } = await letIn();
  const second = (await (await client.refresh(tokens.refresh_token)).json()) as Tokens;

  backend.advance(11_000);
  expect((await client.refresh(tokens.refresh_token)).status).toBe(400);
  expect((await call(second.access_token, "chest_recall", { query: "deploys" })).status).toBe(401);
  expect((await client.refresh(second.refresh_token)).status).toBe(400);
});

it("gives a client that lost the answer to a refresh new tokens of the same family, and only that client", async () => {
  const { client, tokens } = await letIn();
  const other = await aClient("https://claude.com/api/mcp/auth_callback");
  const [lost, again] = await Promise.all([client.refresh(tokens.refresh_token), client.refresh(tokens.refresh_token)]);
  expect([lost.status, again.status]).toEqual([200, 200]);
  const pairs = [(await lost.json()) as Tokens, (await again.json()) as Tokens];
  expect((await other.refresh(tokens.refresh_token)).status).toBe(400);
  for (const { access_token: token } of pairs)
    expect((await call(token, "chest_recall", { query: "deploys" })).status).toBe(200);

  await post("revoke", { client_id: client.id, token: pairs[0]?.refresh_token ?? "" });
  expect((await client.refresh(pairs[1]?.refresh_token ?? "")).status).toBe(400);
});

it("takes a new client where two thousand are in use, and knows one on this machine by whichever port", async () => {
  const { tokens } = await letIn();
  const { body } = await backend.get("/api/tokens", { member: "alice" });
  const { id: grant } = body.tokens.find((each: { client?: string }) => each.client);
  const records = backend.engine.authorizations;
  const expiresAt = new Date(Date.now() + 86_400_000);
  for (let n = 0; n < 2100; n++) {
    await records.put({ kind: "Client", id: `c${n}`, payload: {}, grantId: undefined, expiresAt });
    await records.keepFor(grant, `c${n}`, new Date(Date.now() + 300 * 86_400_000));
  }
  const late = await aClient("http://127.0.0.1:1111/callback");
  await browser.ask(late.url());
  expect((await call(tokens.access_token, "chest_recall", { query: "deploys" })).status).toBe(200);

  const moved = await register({ redirect_uris: ["http://127.0.0.1:2222/callback"] });
  expect(await moved.json()).toMatchObject({
    client_id: late.id,
    redirect_uris: ["http://127.0.0.1:2222/callback"],
  });
});

it("reports an error or a refusal to a client only after a member has seen its name", async () => {
  const client = await aClient();
  const at = async (over: Record<string, string>) => (await browser.go(client.url(over))).headers.get("location") ?? "";
  for (const over of [
    { prompt: "none" },
    { scope: "admin" },
    { response_type: "token" },
    { response_mode: "form_post" },
  ])
    expect(await at({ prompt: "none", ...over })).toContain(`${base}/#/authorize/failed`);

  await browser.signIn((await backend.admin.createToken({ member: "alice" })).token);
  const no = await browser.answer(await browser.ask(client.url()), { approve: false });
  expect(no.href).toMatch(new RegExp(`^${CALLBACK}[?]error=access_denied`));
  await browser.answer(await browser.ask(client.url()), { approve: true });
  expect(await at({ prompt: "none" })).toMatch(new RegExp(`^${CALLBACK}[?]error=`));
});

it.each([
  ["a redirect that was not registered", { redirect_uri: "https://evil.example/cb" }],
  ["another client's id", { client_id: "dyn_nobody" }],
  ["no challenge", { code_challenge: "", code_challenge_method: "" }],
  ["a plain challenge", { code_challenge_method: "plain" }],
  ["another audience", { resource: "https://other.example/mcp" }],
])("refuses a request with %s", async (_, over) => {
  const client = await aClient();
  const answer = await browser.go(client.url(over));
  const where = new URL(answer.headers.get("location") ?? "none:");
  expect(answer.status).toBe(303);
  expect(where.href).toMatch(new RegExp(`^${base}/#/authorize/failed`));
});

it("gives no tokens for a wrong verifier, another redirect, or another client", async () => {
  const client = await aClient();
  const { token } = await backend.admin.createToken({ member: "alice" });
  await browser.signIn(token);
  const back = await browser.answer(await browser.ask(client.url()), { approve: true });
  const code = back.searchParams.get("code") ?? "";
  const other = await aClient("https://claude.com/api/mcp/auth_callback");
  const tries = [
    { code_verifier: pkce().verifier },
    { code_verifier: "" },
    { redirect_uri: "https://evil.example/cb" },
    { client_id: other.id },
  ];
  for (const over of tries) expect((await client.exchange(code, over)).status).toBe(400);
  expect((await client.exchange(code)).status).toBe(200);
});

it("calls a client on this machine back at any port, and at no other address", async () => {
  const client = await aClient("http://127.0.0.1:1111/callback");
  await browser.ask(client.url({ redirect_uri: "http://127.0.0.1:2222/callback" }));
  for (const redirect_uri of ["http://127.0.0.1:2222/other", "http://10.0.0.1:1111/callback"]) {
    const answer = await browser.go(client.url({ redirect_uri }));
    expect(answer.headers.get("location")).toContain("#/authorize/failed");
  }
});

it.each([
  ["http://evil.example/cb"],
  ["javascript:alert(1)"],
  ["https://a.example/#fragment"],
  ["https://user@a.example/"],
  ["https://:password@a.example/"],
  ["view-source:https://a.example/"],
  ["intent://a.example/"],
  ["ms-msdt:/id"],
  ["data:text/html,hi"],
  ["no address"],
])("registers no client with the redirect %s", async (uri) => {
  const answer = await register({ redirect_uris: [uri] });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: expect.stringMatching(/^invalid_/) }]);
});

it("gives the same registration the same id, and keeps what is used through ten thousand others", async () => {
  const [first, second] = await Promise.all([register(), register()]);
  const { client_id: id } = (await first.json()) as { client_id: string };
  expect(await second.json()).toMatchObject({ client_id: id, token_endpoint_auth_method: "none" });
  const { client, tokens } = await letIn();

  const records = backend.engine.authorizations;
  const expiresAt = new Date(Date.now() + 86_400_000);
  const other = (n: number) => ({ kind: "Client", id: `c${n}`, payload: {}, grantId: undefined, expiresAt });
  for (let n = 0; n < 10_000; n += 500)
    await Promise.all(Array.from({ length: 500 }, (_, each) => records.put(other(n + each))));
  await register({ client_name: "one more" });

  expect(await records.sweep("Client", 2000)).toBe(0);
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
});

it.each([
  ["the token of a member", "/mcp/oauth", (backend: SqliteApp) => backend.tokenOf({ member: "alice" })],
  ["the shared token", "/mcp/oauth", (backend: SqliteApp) => backend.tokenOf({})],
])("accepts only its own tokens at its address: %s", async (_, __, tokenOf) => {
  expect((await call(await tokenOf(backend), "chest_recall", { query: "deploys" })).status).toBe(401);
});

it("accepts an access token at its own address only", async () => {
  const { tokens } = await letIn({ approve: true, write: true });
  for (const path of ["/api/tokens", "/mcp", "/api/sign-in", "/api/members"]) {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await fetch(`${base}${path}`, { headers })).status).toBe(401);
  }
});

it("gives nothing to a member that was disabled during the flow, nor to its client", async () => {
  const client = await aClient();
  const { token } = await backend.admin.createToken({ member: "alice" });
  await browser.signIn(token);
  const uid = await browser.ask(client.url());
  const back = await browser.answer(uid, { approve: true });
  const late = await browser.ask(client.url());
  await backend.admin.disableMember({ name: "alice" });

  expect((await client.exchange(back.searchParams.get("code") ?? "")).status).toBe(400);
  await expect(browser.answer(late, { approve: true })).rejects.toThrow("UNAUTHORIZED");
});

it("needs the browser that began and a member with the rights that it grants", async () => {
  const client = await aClient();
  const { token } = await backend.admin.createToken({ member: "alice", scopes: ["read"] });
  await browser.signIn(token);
  const uid = await browser.ask(client.url());
  await expect(browser.answer(uid, { approve: true, write: true })).rejects.toThrow("`write`");
  await expect(browser.answer(uid, { approve: true, projects: ["host/org/none"] })).rejects.toThrow("not found");
  const thief = new CookieBrowser(base);
  await thief.signIn(token);
  await expect(thief.answer(uid, { approve: true })).rejects.toThrow("another browser");
  await thief.signIn(await backend.tokenOf({}));
  const shared = await thief.ask(client.url());
  await expect(thief.answer(shared, { approve: true })).rejects.toThrow("is not a person");

  const back = await browser.answer(uid, { approve: false });
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: "access_denied", state: "a-state" });
});

it.each([
  ["https://claude.ai.evil.example/client", "a host that is not listed"],
  ["https://127.0.0.1/client", "a private address"],
])("reads no client document at %s: %s", async (client_id) => {
  const { url } = await aClient();
  const answer = await browser.go(url({ client_id }));
  expect(answer.headers.get("location")).toContain("#/authorize/failed?why=invalid_client");
});

it("lets every client register where it reads no documents", async () => {
  const metadata = async (at: string) =>
    (await fetch(`${at}/.well-known/oauth-authorization-server/oauth`)).json() as Promise<Record<string, unknown>>;
  expect((await metadata(base)).client_id_metadata_document_supported).toBe(true);

  const port = await aPort();
  const closed = await openSqliteApp({
    CHEST_PUBLIC_URL: `http://127.0.0.1:${port}`,
    CHEST_OAUTH_CLIENT_HOSTS: "none",
  });
  await closed.app.listen({ port, host: "127.0.0.1" });
  const { client_id_metadata_document_supported, registration_endpoint } = await metadata(`http://127.0.0.1:${port}`);
  expect(client_id_metadata_document_supported).toBe(false);
  const body = JSON.stringify({ redirect_uris: [CALLBACK] });
  const headers = { "content-type": "application/json" };
  const { client_id } = (await (
    await fetch(String(registration_endpoint), { method: "POST", headers, body })
  ).json()) as {
    client_id: string;
  };
  const asked = new URLSearchParams({
    ...{ client_id, redirect_uri: CALLBACK, response_type: "code", scope: "memory:read" },
    ...{ code_challenge: pkce().challenge, code_challenge_method: "S256" },
  });
  const answer = await fetch(`http://127.0.0.1:${port}/oauth/authorize?${asked}`, { redirect: "manual" });
  expect(answer.headers.get("location")).not.toContain("failed");
  await closed.close();
});

it("says nothing of OAuth at `/mcp`, and is off without an address", async () => {
  const answer = await fetch(`${base}/mcp`, { method: "POST", body: "{}" });
  expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="chest"');
  for (const path of ["oauth-protected-resource/mcp", "oauth-protected-resource", "oauth-authorization-server"])
    expect((await fetch(`${base}/.well-known/${path}`)).status).toBe(404);

  const off = await openSqliteApp();
  expect((await off.get("/.well-known/oauth-authorization-server/oauth")).status).toBe(404);
  expect((await off.get("/api/authorizations/x")).body.error.hint).toContain("CHEST_PUBLIC_URL");
  await off.close();
});

it("lets pages of other origins register, exchange and revoke, and use MCP where their origin is configured", async () => {
  const origin = "http://localhost:6274";
  const preflight = (path: string, of = origin) =>
    fetch(`${base}${path}`, {
      method: "OPTIONS",
      headers: {
        origin: of,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
  const allowed = ({ headers }: Response) => headers.get("access-control-allow-origin");
  for (const path of [
    "/oauth/token",
    "/oauth/register",
    "/oauth/revoke",
    "/.well-known/oauth-protected-resource/mcp/oauth",
  ]) {
    const answer = await preflight(path);
    expect([path, answer.status, allowed(answer)]).toEqual([path, 204, "*"]);
  }
  for (const path of ["/oauth/authorize", "/mcp", "/mcp/oauth", "/api/tokens", "/api/authorizations/x"])
    expect([path, allowed(await preflight(path))]).toEqual([path, null]);

  const body = new URLSearchParams({ grant_type: "authorization_code", code: "wrong" });
  const refused = await fetch(`${base}/oauth/token`, { method: "POST", body, headers: { origin } });
  expect([refused.status, allowed(refused)]).toEqual([400, "*"]);

  await backend.close();
  const port = await aPort();
  base = `http://127.0.0.1:${port}`;
  backend = await openSqliteApp({ CHEST_PUBLIC_URL: base, CHEST_MCP_ORIGINS: origin });
  await backend.app.listen({ port, host: "127.0.0.1" });
  expect([(await preflight("/mcp/oauth")).status, allowed(await preflight("/mcp/oauth"))]).toEqual([204, origin]);
  expect(allowed(await preflight("/mcp/oauth", "https://evil.example"))).toBeNull();
  const stranger = await fetch(`${base}/mcp/oauth`, { method: "POST", headers: { origin }, body: "{}" });
  expect([stranger.status, allowed(stranger)]).toEqual([401, origin]);
  expect(stranger.headers.get("access-control-expose-headers")).toContain("www-authenticate");
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const authorization = `Bearer ${await backend.tokenOf({ member: "alice" })}`;
  const accept = "application/json, text/event-stream";
  const headers = { origin, authorization, accept, "content-type": "application/json" };
  const listed = await fetch(`${base}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
  expect([listed.status, allowed(listed)]).toEqual([200, origin]);
});
