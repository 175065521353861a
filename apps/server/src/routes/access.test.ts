import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { localCaller, openAccessAdmin } from "@chest/core/access";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withWriters } from "../plugins/recent-clients.ts";
import { openSqliteApp, type SqliteApp } from "../testing/sqlite-app.ts";

const ADMIN = { member: "root", scopes: ["read", "write", "operate", "admin"] } as const;
const ALICE = { member: "alice" } as const;

let backend: SqliteApp;
beforeEach(async () => {
  backend = await openSqliteApp();
});
afterEach(() => backend.close());

const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe("a member's token", () => {
  it("is made by an admin, shown once, and works at once", async () => {
    const made = await backend.post("/api/tokens", { member: "alice", scopes: ["read"], label: "laptop" }, ADMIN);

    expect(made.body).toMatchObject({ member: "alice", scopes: ["read"], label: "laptop" });
    expect((await backend.get("/capabilities", withToken(made.body.token))).status).toBe(200);
    const listed = await backend.get("/api/tokens", ADMIN);
    expect(listed.body.tokens.map(({ member }: { member: string }) => member)).toEqual(["root", "alice"]);
    expect(JSON.stringify(listed.body)).not.toContain(made.body.token);
  });

  it("names the author of a write, whatever the client says about itself", async () => {
    const headers = { "x-chest-client": "shared/1.0; machine=root" };
    const id = await backend.store("signed by the server", {}, { ...ALICE, headers });

    const [alice] = (await backend.admin.listMembers()).filter(({ name }) => name === "alice");
    expect(await backend.engine.as(aCallOf()).memories.byId(id)).toMatchObject({ authorId: alice?.id });
  });

  it("lacks the scopes it was not given, and the refusal names the missing one", async () => {
    const reading = { ...ALICE, scopes: ["read"] } as const;
    for (const [method, url, scope] of [
      ["POST", "/api/tools/chest_remember", "write"],
      ["GET", "/diagnostics/db", "operate"],
      ["GET", "/api/members", "admin"],
      ["GET", "/api/tokens", "write"],
    ] as const) {
      const { status, body } = await backend.ask(method, url, method === "POST" ? {} : undefined, reading);
      expect([status, body.error.code, body.error.details.scope]).toEqual([403, "FORBIDDEN", scope]);
    }
  });

  it("makes others for its member, and for no other member", async () => {
    expect((await backend.post("/api/tokens", {}, ALICE)).body).toMatchObject({ member: "alice" });
    for (const [payload, scope] of [
      [{ member: "bob" }, "admin"],
      [{ scopes: ["operate"] }, "operate"],
    ] as const) {
      expect((await backend.post("/api/tokens", payload, ALICE)).body.error).toMatchObject({
        code: "FORBIDDEN",
        details: { scope },
      });
    }
    expect((await backend.post("/api/tokens", {})).body.error).toMatchObject({ code: "FORBIDDEN" });
  });

  it("is renewed by its member, who is warned of its end at the start of a session", async () => {
    const made = await backend.post("/api/tokens", { member: "alice", expires: "13d" }, ADMIN);
    const by = withToken(made.body.token);
    expect((await backend.get("/capabilities", by)).body.caller).toEqual({
      member: "alice",
      token_expires_at: made.body.expires_at,
    });
    const begin = async (headers: object) =>
      (
        await backend.post(
          "/api/hooks/session-start",
          { session_id: "s", source: "startup" },
          { headers: { ...headers } },
        )
      ).body.context as string | undefined;
    expect(await begin(by.headers)).toMatch(
      /^<chest_notice>\nThe token of this machine ends on \d{4}-\d\d-\d\d: `chest-index token renew`/,
    );
    const renewed = await backend.post(`/api/tokens/${made.body.id}/renew`, {}, by);
    expect(renewed.body).toMatchObject({ member: "alice", scopes: ["read", "write"] });
    expect((await backend.get("/capabilities", withToken(renewed.body.token))).status).toBe(200);
  });

  it("names to its holder a project that is closed to it, and the refusals are in the audit log", async () => {
    await backend.post("/api/projects", { key: "host/org/vault", access: "members" }, ADMIN);
    const by = { ...ALICE, project: "host/org/vault" };
    const begun = await backend.post("/api/hooks/session-start", { session_id: "s", source: "startup" }, by);
    expect(begun.body.context).toContain("This project is closed to your token");
    expect((await backend.get("/capabilities", by)).body.caller).toMatchObject({ is_project_closed: true });
    const fact = { entity_name: "a", entity_kind: "project", layer: "learning", content: "kept out" };
    expect((await backend.post("/api/tools/chest_remember", fact, by)).status).toBe(404);
    const refusals = async () =>
      (await backend.get("/api/audit?member=alice&limit=20", ADMIN)).body.entries.map(
        ({ op, outcome }: { op: string; outcome: string }) => `${op} ${outcome}`,
      );
    await expect.poll(refusals, { timeout: 15_000 }).toContain("chest_remember NOT_FOUND");
  });

  it("is rejected at the next request of an open connection, when another process has ended it", async () => {
    const token = await backend.tokenOf(ALICE);
    await backend.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = backend.app.server.address() as AddressInfo;
    const { Agent } = await import("node:http");
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () =>
      new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
        const sent = request(
          { port, host: "127.0.0.1", path: "/capabilities", agent, ...withToken(token) },
          (response) => {
            const local = response.socket.localPort;
            response.resume().once("end", () => resolve({ status: response.statusCode, port: local }));
          },
        );
        sent.once("error", reject).end();
      });

    const before = await ask();
    const beside = await openSqliteEngine({ path: backend.config.store.dbPath });
    const admin = openAccessAdmin(beside.access, localCaller(undefined), { now: () => new Date() });
    const [own] = (await admin.listTokens({})).filter(({ member }) => member === "alice");
    await admin.revokeToken({ id: own?.id });
    const after = await ask();
    await beside.close();
    agent.destroy();

    expect([before.status, after.status]).toEqual([200, 401]);
    expect(after.port).toBe(before.port);
  });
});

describe("members and projects", () => {
  it("are an admin's to add, to disable and to close", async () => {
    expect((await backend.post("/api/members", { name: "carol" }, ADMIN)).body).toMatchObject({ status: "active" });
    const carol = { member: "carol", project: "host/org/pear" };
    await backend.store("fenced in", {}, carol);
    const closed = { key: "host/org/pear", access: "members", add: ["root"] };
    expect((await backend.post("/api/projects", closed, ADMIN)).body).toEqual({
      key: "host/org/pear",
      access: "members",
      members: ["root"],
    });
    expect((await backend.get("/api/projects", carol)).body.projects).toEqual([]);
    expect(await backend.tool("chest_remember", A_FACT, carol)).toMatchObject({ code: "NOT_FOUND" });
    const gone = await backend.ask("DELETE", "/api/members/carol", undefined, ADMIN);
    expect(gone.body).toMatchObject({ name: "carol", status: "disabled" });
    expect((await backend.get("/capabilities", carol)).status).toBe(401);
  });

  it("do not show the new key of a closed project to members it is closed to", async () => {
    const carol = { member: "carol", scopes: ["read", "write", "operate"] } as const;
    await backend.store("fenced in", {}, { ...carol, project: "host/org/pear" });
    const limited = { ...carol, projects: ["host/org/pear"] };
    await backend.post("/api/webhooks", { url: "https://ci.example.org/" }, limited);
    const told = async () => [
      (await backend.get("/api/tokens", carol)).body.tokens.flatMap(({ projects = [] }) => projects),
      (await backend.get("/api/webhooks", carol)).body.webhooks.flatMap(({ projects = [] }) => projects),
      (await backend.get("/api/sign-in", limited)).body.projects,
    ];
    expect(await told()).toEqual([["host/org/pear"], ["host/org/pear"], ["host/org/pear"]]);
    await backend.admin.setProject({ key: "host/org/pear", access: "members" });
    await backend.admin.setProject({ key: "host/org/pear", rename: "host/org/merger" });
    expect(await told()).toEqual([[], [], []]);
    const listed = JSON.stringify((await backend.get("/api/tokens", ADMIN)).body);
    expect(listed).toContain("host/org/merger");
  });

  it("stores half a surrogate pair in a project's key as the replacement character", async () => {
    const { status, body } = await backend.post("/api/projects", { key: "half \ud800" }, ADMIN);
    expect([status, body.key]).toEqual([200, "half \ufffd"]);
  });

  it.each([
    ["POST", "/api/members", { name: "no spaces" }, "name"],
    ["POST", "/api/tokens", { member: "x", scopes: [] }, "scopes"],
    ["POST", "/api/tokens", { member: "x", expires: "soon" }, "expires"],
    ["POST", "/api/tokens", { member: "x", nonsense: 1 }, "nonsense"],
    ["POST", "/api/projects", { key: "k", access: "public" }, "access"],
    ["DELETE", "/api/tokens/zero", undefined, "id"],
  ] as const)("%s %s with %j is refused by field, and changes nothing", async (method, url, payload, path) => {
    const before = await backend.admin.listMembers();
    const { status, body } = await backend.ask(method, url, payload, ADMIN);
    expect(status).toBe(400);
    expect(body.error.details.issues[0].path).toBe(path);
    expect((await backend.admin.listMembers()).filter(({ name }) => name !== "root")).toEqual(before);
  });
});

describe("the token that everyone shares", () => {
  it("is one of two while it is rotated", async () => {
    const previous = "the-token-before-this-one-which-is-long-enough";
    const rotating = await openSqliteApp({ CHEST_API_TOKEN_PREVIOUS: previous });
    const status = async (token: string) => (await rotating.get("/capabilities", withToken(token))).status;

    expect([await status(previous), (await rotating.get("/capabilities")).status]).toEqual([200, 200]);
    expect(await status(`${previous}x`)).toBe(401);
    await rotating.close();
  });

  it("never has an admin's rights", async () => {
    await expect(openSqliteApp({ CHEST_API_TOKEN_SCOPES: "read,admin" })).rejects.toThrow("CHEST_API_TOKEN_SCOPES");
  });
});

const A_FACT = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "one more" };
const aCallOf = () => ({
  caller: localCaller(undefined),
  requestId: "test",
  signal: new AbortController().signal,
});

describe("the audit log", () => {
  const rows = async (query = "") => (await backend.get(`/api/audit${query}`, ADMIN)).body.entries;

  it("contains writes, refusals before and in a tool, by member and token, and no content", async () => {
    const id = await backend.store("a sentence nobody may find in a log", { layer: "goal" }, ALICE);
    await backend.tool("chest_forget", { memory_id: id }, ALICE);
    await backend.get("/diagnostics/db", ALICE);
    const stranger = { headers: { authorization: `Bearer ${"x".repeat(40)}` } };
    for (let i = 0; i < 3; i++) await backend.post("/api/tools/chest_recall", {}, stranger);

    await expect.poll(async () => (await rows("?op=chest_recall")).length, { timeout: 5000 }).toBe(1);
    const all = await rows("?limit=50");
    const of = (op: string) => all.filter((row: { op: string; outcome: string }) => row.op === op);
    expect(of("chest_remember")).toMatchObject([{ member: "alice", outcome: "ok", memory_ids: [id] }]);
    expect(of("chest_remember")[0].token_id).toBeGreaterThan(0);
    expect(of("chest_forget")).toMatchObject([{ member: "alice", outcome: "PROTECTED", times: 1 }]);
    expect(of("GET /diagnostics/db")).toMatchObject([{ member: "alice", outcome: "FORBIDDEN" }]);
    expect(of("chest_recall")).toMatchObject([{ member: null, outcome: "UNAUTHORIZED", times: 3 }]);
    expect(JSON.stringify(all)).not.toContain("nobody may find");
    expect((await rows(`?memory_id=${id}`)).length).toBe(1);
    expect((await backend.get("/api/audit", ALICE)).body.error.details.scope).toBe("operate");
    for (const query of ["limit=0x5", "memory_id=1e3", "before=1.0", "limit=1001"])
      expect((await backend.get(`/api/audit?${query}`, ADMIN)).body.error.code, query).toBe("VALIDATION_ERROR");
    expect((await backend.ask("DELETE", "/api/tokens/0x1", undefined, ADMIN)).body.error.code).toBe("VALIDATION_ERROR");
    expect((await backend.get("/api/audit?since=yesterday", ADMIN)).body.error.details.issues[0].path).toBe("since");
  });
});

describe("the list of clients", () => {
  const clients = async () => (await backend.get("/api/clients", ADMIN)).body.clients;

  it("contains those that only read, by name, agent and member, and the last one first", async () => {
    await backend.get("/api/work", { ...ALICE, headers: { "x-chest-client": "chest-memory/1.2.3; agent=codex 0.4" } });
    await backend.get("/api/work", { ...ALICE, headers: { "user-agent": "claude-code/2.1.332 (cli)" } });

    expect((await clients()).slice(0, 2)).toEqual([
      { client: "claude-code/2.1.332", member: "alice", last_at: expect.any(String) },
      { client: "chest-memory/1.2.3 (codex 0.4)", member: "alice", last_at: expect.any(String) },
    ]);
    expect((await backend.get("/api/clients", ALICE)).body.error.details.scope).toBe("operate");
  });

  it("contains neither monitors, nor refused calls, nor the page", async () => {
    await backend.get("/metrics", { ...ADMIN, headers: { "user-agent": "Prometheus/3.5" } });
    await backend.get("/api/members", { ...ALICE, headers: { "user-agent": "curious/1" } });
    const { link } = (await backend.post("/api/sign-in-links", { member: "alice" }, ADMIN)).body;
    const origin = { host: "localhost", origin: "http://localhost", "user-agent": "Mozilla/5.0" };
    const signedIn = await backend.app.inject({
      method: "POST",
      url: "/api/sign-in",
      headers: origin,
      payload: { link },
    });
    const cookie = String(signedIn.headers["set-cookie"]).split(";", 1)[0] ?? "";
    const seen = await backend.app.inject({ method: "GET", url: "/api/work", headers: { ...origin, cookie } });
    expect(seen.statusCode).toBe(200);

    const names = JSON.stringify(await clients());
    expect(names).toContain("unstated/");
    expect(names).not.toMatch(/Prometheus|curious|Mozilla/);
  });

  it("contains clients of the audit log that wrote memories, and no operator that changed members and links", async () => {
    const operator = localCaller(undefined, { name: "chest-index", version: "1.0.0" });
    await openAccessAdmin(backend.engine.access, operator, { now: () => new Date() }).addMember({ name: "zoe" });
    await backend.store("written", {}, { ...ALICE, headers: { "x-chest-client": "chest-memory/1.0.0" } });
    const entries = await backend.engine.audit.list({ limit: 50 });

    expect(entries.map(({ client }) => client)).toContain("chest-index/1.0.0");
    expect(withWriters([], entries)).toEqual([
      { client: "chest-memory/1.0.0", member: "alice", last_at: expect.any(String) },
    ]);
  });
});

describe("a purge over REST", () => {
  it("shows what would be deleted, deletes it when told to, and is for admins only", async () => {
    const id = await backend.store("purge me", { visibility: "private" }, ALICE);
    const operate = { member: "olga", scopes: ["read", "write", "operate"] } as const;
    for (const by of [ALICE, operate, {}]) {
      const { body } = await backend.post("/api/purge", { ids: [id], confirm: true }, by);
      expect(body.error).toMatchObject({ code: "FORBIDDEN", details: { scope: "admin" } });
    }
    expect((await backend.post("/api/purge", { ids: [id] }, ADMIN)).body).toMatchObject({
      confirmed: false,
      purged: [id],
    });
    expect((await backend.tool("chest_recall", { ids: [id] }, ALICE)).memories).toHaveLength(1);
    const done = await backend.post("/api/purge", { member: "alice", confirm: true }, ADMIN);
    expect(done.body).toEqual({ confirmed: true, purged: [id], derived: [], backups_with_copies: [], log_clean: true });
    expect((await backend.tool("chest_recall", { ids: [id] }, ALICE)).memories).toEqual([]);
  });

  it.each([[{}], [{ ids: [1], member: "alice" }], [{ ids: [] }], [{ ids: ["1"] }], [{ ids: [1], sure: true }]])(
    "refuses %j",
    async (payload) => {
      expect((await backend.post("/api/purge", payload, ADMIN)).status).toBe(400);
    },
  );
});
