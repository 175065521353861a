import { localCaller, openSignInAdmin, SHARED } from "@chest/core/access";
import { afterEach, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp } from "../../testing/sqlite-app.ts";
import { TOKEN } from "../../testing/token.ts";

const HOUR_MS = 3_600_000;
const PAGE = { origin: "http://127.0.0.1:8765", host: "127.0.0.1:8765" };

let backend: SqliteApp;
afterEach(() => backend.close());

async function signIn(payload: object, headers: Record<string, string> = {}) {
  const response = await backend.app.inject({
    method: "POST",
    url: "/api/sign-in",
    headers: { ...PAGE, ...headers },
    payload,
  });
  const [cookie = ""] = String(response.headers["set-cookie"] ?? "").split(";");
  return { status: response.statusCode, body: response.json(), set: response.headers["set-cookie"], cookie };
}
const get = async (url: string, cookie: string, headers: Record<string, string> = {}) =>
  (await backend.app.inject({ url, headers: { host: PAGE.host, cookie, ...headers } })).statusCode;
const sessions = async () => (await backend.engine.access.tokens()).filter(({ kind }) => kind === "session");
const linkFor = async (input: object = {}) =>
  (await openSignInAdmin(backend.engine.access, localCaller(undefined), { now: () => new Date() }).createLink(input))
    .link;

it("signs in with a token, and the cookie sees what the token sees", async () => {
  backend = await openSqliteApp();
  const mine = await backend.store("a plan of one's own", { visibility: "private" }, { member: "alice" });
  await backend.store("a plan of another's", { visibility: "private" }, { member: "bob" });

  const { status, body, set, cookie } = await signIn({ token: await backend.tokenOf({ member: "alice" }) });

  expect(status).toBe(200);
  expect(body).toMatchObject({ member: "alice", role: "member", scopes: ["read", "write"] });
  expect(set).toMatch(/^chest_session=cht_\d+_[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/$/);
  const response = await backend.app.inject({
    method: "POST",
    url: "/api/tools/chest_recall",
    headers: { ...PAGE, cookie },
    payload: { query: "plan" },
  });
  expect(response.json().result.memories.map(({ id }: { id: number }) => id)).toEqual([mine]);
  expect(await get("/api/members", cookie)).toBe(403);
});

it("marks the cookie for TLS, and for the page's path prefix", async () => {
  backend = await openSqliteApp();
  const tls = { origin: "https://chest.example", host: "chest.example" };

  expect((await signIn({ token: TOKEN }, tls)).set).toMatch(/^__Host-chest_session=.+; Path=\/; Secure$/);
  const behind = await signIn({ token: TOKEN, at: "/chest-memory/" }, tls);
  expect(behind.set).toMatch(/^chest_session=.+; Path=\/chest-memory\/; Secure$/);
  expect((await signIn({ token: TOKEN, at: "/a; Domain=evil/" }, tls)).status).toBe(400);
});

it("accepts no change from another site", async () => {
  backend = await openSqliteApp();
  const { cookie } = await signIn({ token: await backend.tokenOf({ member: "alice" }) });
  const change = async (headers: Record<string, string>) =>
    (
      await backend.app.inject({
        method: "POST",
        url: "/api/tokens",
        headers: { host: PAGE.host, cookie, ...headers },
        payload: { scopes: ["read"] },
      })
    ).statusCode;

  expect(await change({})).toBe(403);
  expect(await change({ origin: "https://evil.example" })).toBe(403);
  expect(await change({ origin: "http://127.0.0.1:9000" })).toBe(403);
  expect(await change({ origin: PAGE.origin, "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await change({ origin: PAGE.origin })).toBe(200);
  // A proxy may remove the port from `Host`, but `Sec-Fetch-Site` is still right.
  expect(await change({ origin: "https://127.0.0.1:8443", "sec-fetch-site": "same-origin" })).toBe(200);
  expect((await signIn({ token: TOKEN }, { origin: "https://evil.example" })).status).toBe(403);
});

it("ends with the token that it came from, when it is ended, and after twelve idle hours", async () => {
  backend = await openSqliteApp();
  const made = await backend.admin.createToken({ member: "alice" });
  const first = await signIn({ token: made.token });
  const second = await signIn({ token: made.token }, { "user-agent": "Mozilla/5.0 (X11; Linux) Chrome/150.0" });

  const { sign_ins } = (
    await backend.app.inject({ url: "/api/sign-ins", headers: { host: PAGE.host, cookie: first.cookie } })
  ).json();
  expect(sign_ins.map(({ label, is_this }: { label: string; is_this: boolean }) => [label, is_this])).toEqual([
    [expect.any(String), true],
    ["Chrome, Linux", false],
  ]);
  const headers = { ...PAGE, cookie: first.cookie };
  await backend.app.inject({ method: "DELETE", url: `/api/sign-ins/${sign_ins[1].id}`, headers });
  expect([await get("/api/sign-in", first.cookie), await get("/api/sign-in", second.cookie)]).toEqual([200, 401]);

  const third = await signIn({ token: made.token });
  backend.advance(11 * HOUR_MS);
  expect(await get("/api/sign-in", first.cookie)).toBe(200);
  // The time of the last use is written a moment later.
  const usedAt = async () => Math.max(...(await sessions()).map(({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0));
  await expect.poll(usedAt).toBeGreaterThan(Date.now() + 10 * HOUR_MS);
  backend.advance(2 * HOUR_MS);
  expect([await get("/api/sign-in", first.cookie), await get("/api/sign-in", third.cookie)]).toEqual([200, 401]);

  await backend.admin.revokeToken({ id: made.id });
  expect(await get("/api/sign-in", first.cookie)).toBe(401);
});

it("lists no sign-in among the tokens, and accepts none as a token", async () => {
  backend = await openSqliteApp();
  const { cookie } = await signIn({ token: await backend.tokenOf({ member: "alice" }) });
  const value = cookie.replace(/^.*?=/, "");

  expect(await backend.admin.listTokens({ all: "true" })).toHaveLength(1);
  const headers = { authorization: `Bearer ${value}` };
  expect((await backend.app.inject({ url: "/api/sign-in", headers })).statusCode).toBe(401);
  // A token made during a sign-in outlives the sign-in, but ends with the token that was used to sign in.
  const { id } = (
    await backend.app.inject({
      method: "POST",
      url: "/api/tokens",
      headers: { ...PAGE, cookie },
      payload: { scopes: ["read"] },
    })
  ).json();
  const tokens = await backend.engine.access.tokens();
  expect(tokens.find((token) => token.id === id)?.parentId).toBe(tokens.find(({ kind }) => kind === "token")?.id);
});

it("accepts a link once, within ten minutes, and that of `local` from this machine only", async () => {
  backend = await openSqliteApp();
  const link = await linkFor();

  const first = await signIn({ link });
  expect(first.body).toMatchObject({ member: "local", scopes: ["read", "write", "operate", "admin"] });
  expect(await get("/api/members", first.cookie)).toBe(200);
  expect(await get("/api/members", first.cookie, { "x-forwarded-for": "192.0.2.7" })).toBe(401);
  expect(await signIn({ link })).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
  expect((await signIn({ link: await linkFor() }, { "x-forwarded-for": "192.0.2.7" })).status).toBe(401);
  const late = await linkFor();
  backend.advance(10 * 60_000);
  expect((await signIn({ link: late })).status).toBe(401);
});

it("makes links for existing members, with their present rights", async () => {
  backend = await openSqliteApp();
  await backend.admin.addMember({ name: "alice" });
  await backend.admin.addMember({ name: "root", admin: true });

  expect((await signIn({ link: await linkFor({ member: "alice" }) })).body.scopes).toEqual(["read", "write"]);
  expect((await signIn({ link: await linkFor({ member: "root" }) })).body.scopes).toContain("admin");
  await expect(linkFor({ member: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(linkFor({ member: "shared" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  const other = await backend.post("/api/sign-in-links", { member: "root" }, { member: "alice" });
  expect(other.body.error).toMatchObject({ code: "FORBIDDEN", details: { scope: "admin" } });
  const own = await backend.post("/api/sign-in-links", {}, { member: "alice", scopes: ["read"] });
  expect((await signIn({ link: own.body.link })).body).toMatchObject({ member: "alice", scopes: ["read"] });
});

it("ties a sign-in of `shared` to the shared token", async () => {
  backend = await openSqliteApp();
  const { cookie, body } = await signIn({ token: TOKEN });

  expect(body.member).toBe(SHARED.name);
  expect(await get("/api/sign-in", cookie)).toBe(200);
  // Looks the secret up without the shared token, as another backend of this store would.
  const kept = (await backend.engine.access.bearer(cookie.replace(/^.*?=/, ""), "session")) ?? "nobody";
  expect(kept).toBe("nobody");
});

it("asks before a link signs a browser in as another member, and uses the link up only then", async () => {
  backend = await openSqliteApp();
  for (const member of ["alice", "bob"]) await backend.tokenOf({ member });
  const { cookie } = await signIn({ link: await linkFor({ member: "bob" }) });
  const link = await linkFor({ member: "alice" });

  const asked = await signIn({ link }, { cookie });
  expect([asked.status, asked.set]).toEqual([403, undefined]);
  expect(asked.body.error).toMatchObject({ code: "FORBIDDEN", details: { signed_in_as: "bob", link_for: "alice" } });
  expect((await signIn({ link, replaces: "carol" }, { cookie })).status).toBe(403);
  expect((await signIn({ link, replaces: "bob" }, { cookie })).body).toMatchObject({ member: "alice" });
  // No confirmation is needed for the member's own link, or once the present sign-in has ended.
  expect((await signIn({ link: await linkFor({ member: "bob" }) }, { cookie })).status).toBe(200);
  backend.advance(13 * HOUR_MS);
  expect((await signIn({ link: await linkFor({ member: "alice" }) }, { cookie })).status).not.toBe(403);
});
