import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "../testing/sqlite-app.ts";

const ALICE: TestRequester = { member: "alice", scopes: ["read", "write", "operate"] };
const BOB: TestRequester = { member: "bob", scopes: ["read", "write", "operate"] };
const ROOT: TestRequester = { member: "root", scopes: ["read", "write", "operate", "admin"] };
const PATIENCE = { timeout: 15_000 };

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Server that keeps the requests it receives. */
async function openReceiver() {
  const got: Got[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (status < 300) got.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const events = () => got.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === "memory.changed");
  return {
    url: `http://127.0.0.1:${port}/chest`,
    got,
    events,
    told: () => events().flatMap(({ data }) => data.memory_ids as number[]),
    answer: (code: number) => {
      status = code;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

let backend: SqliteApp;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
beforeEach(async () => {
  receiver = await openReceiver();
  backend = await openSqliteApp({ CHEST_ALLOW_PRIVATE_ADDRESSES: "true" });
});
afterEach(async () => {
  await backend.close();
  await receiver.close();
});

const add = async (by: TestRequester, over: object = {}) =>
  (await backend.post("/api/webhooks", { url: receiver.url, ...over }, by)).body;
const listed = async (by: TestRequester) => (await backend.get("/api/webhooks", by)).body.webhooks;
const toTeam = (content: string, by = ALICE) => backend.store(content, { visibility: "team" }, by);
/** Tells whether every event has been delivered. */
const isThrough = async () =>
  expect
    .poll(async () => {
      const newest = await backend.engine.audit.newest();
      return (await backend.engine.webhooks.list()).every(({ cursor }) => cursor >= newest);
    }, PATIENCE)
    .toBe(true);

it("sends changes to a receiver in order, signed, with ids only", async () => {
  const { secret } = await add(ALICE);
  backend.deliveries.start();
  const first = await toTeam("the first word of all");
  const second = await toTeam("another word after it");
  await backend.tool("chest_forget", { memory_id: first }, ALICE);

  await expect.poll(receiver.told, PATIENCE).toEqual([first, second, first]);
  for (const { headers, body } of receiver.got)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      data: { member: "alice", op: expect.stringMatching(/^chest_/) },
    });
  expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  expect(receiver.got.map(({ body }) => body).join()).not.toMatch(/word/);
});

it("sends nothing that its owner may not see, or that its owner's token does not open", async () => {
  await backend.admin.setProject({ key: "host/org/den", access: "members", add: [] });
  await add(ALICE);
  await add({ ...BOB, projects: ["host/org/pond"] });
  backend.deliveries.start();
  const own = await backend.store("bob's own", { visibility: "private" }, BOB);
  await backend.store("of a closed project", { project: "host/org/den" }, ROOT);
  const open = await backend.store("of the pond", { project: "host/org/pond" }, ROOT);
  const other = await backend.store("of the hill", { project: "host/org/hill" }, ROOT);
  const team = await toTeam("known to all", ROOT);
  await isThrough();

  const hooks = receiver.got.map(({ headers, body }) => [
    String(headers["webhook-id"]).split("_")[1],
    JSON.parse(body).data.memory_ids[0],
  ]);
  const [first, second] = (await listed(ROOT)).map(({ id }: { id: number }) => String(id));
  const of = (hook: string) => hooks.flatMap(([id, memory]) => (id === hook ? [memory] : []));
  expect(of(first)).toEqual([open, other, team]);
  expect(of(second)).toEqual([own, open, team]);
});

it("sends only the operations that it names", async () => {
  await add(ALICE, { events: ["chest_forget", "maintenance:*"] });
  backend.deliveries.start();
  const id = await toTeam("stored and forgotten");
  await backend.tool("chest_forget", { memory_id: id }, ALICE);
  await isThrough();

  expect(receiver.events().map(({ data }) => data.op)).toEqual(["chest_forget"]);
});

it("pauses longer after each failure, loses nothing, and continues after a restart where it was", async () => {
  receiver.answer(500);
  const { id } = await add(ALICE);
  backend.deliveries.start();
  const first = await toTeam("while it is down");
  await expect.poll(async () => (await listed(ALICE))[0].failures, PATIENCE).toBe(1);
  expect((await listed(ALICE))[0]).toMatchObject({ trouble: "it answered 500", delivered_at: null });
  const { webhooks } = (await backend.get("/diagnostics/host", ALICE)).body;
  expect(webhooks).toEqual({ count: 1, failing: [{ id, failures: 1, trouble: "it answered 500" }] });
  await backend.deliveries.close();

  const second = await toTeam("after it was closed");
  receiver.answer(200);
  backend.advance(5_000);
  const anew = backend.anotherDeliveries();
  anew.start();
  await expect.poll(receiver.told, PATIENCE).toEqual([first, second]);
  await isThrough();
  await anew.close();
  expect((await listed(ALICE))[0]).toMatchObject({ failures: 0, trouble: null, delivered_at: expect.any(String) });
});

it("ends with the token that it was made with, and with its owner", async () => {
  await add(ALICE);
  await add(BOB);
  const [{ id: token }] = (await backend.get("/api/tokens", ALICE)).body.tokens;
  await backend.admin.revokeToken({ id: token });
  await backend.admin.disableMember({ name: "bob" });
  backend.deliveries.start();
  await toTeam("told to none of them", ROOT);

  await expect.poll(() => listed(ROOT), PATIENCE).toEqual([]);
  expect(receiver.got).toEqual([]);
});

it("sends a ping on request, and says why one did not arrive", async () => {
  const { id, secret } = await add(ALICE);
  const tried = await backend.post(`/api/webhooks/${id}/test`, {}, ALICE);
  expect(tried.body).toMatchObject({ id, delivered: true, trouble: null });
  const [{ body, headers } = { body: "", headers: {} }] = receiver.got;
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type: "ping" });

  receiver.answer(302);
  const failed = await backend.post(`/api/webhooks/${id}/test`, {}, ALICE);
  expect(failed.body).toMatchObject({ delivered: false, trouble: "it answered 302" });
});

it("reaches no private address unless that is allowed, whatever name leads there", async () => {
  await backend.close();
  backend = await openSqliteApp();
  const urls = ["http://ci.example.org/", "https://127.0.0.1/", "https://[::ffff:10.0.0.1]/", "ftp://x/", "nowhere"];
  for (const url of [...urls, "https://user:word@example.org/"]) {
    const { status, body } = await backend.post("/api/webhooks", { url }, ALICE);
    expect([status, body.error?.details?.issues?.[0]?.path]).toEqual([400, "url"]);
  }
  expect(await listed(ALICE)).toEqual([]);

  const { port } = new URL(receiver.url);
  const { id } = (await backend.post("/api/webhooks", { url: `https://localhost:${port}/` }, ALICE)).body;
  const tried = await backend.post(`/api/webhooks/${id}/test`, {}, ALICE);
  expect(tried.body.trouble).toContain("private address");
});

it("shows members their own webhooks, an admin all, and no one a secret", async () => {
  const { id, secret } = await add(ALICE);
  await add(BOB);

  expect((await listed(ALICE)).map(({ member }: { member: string }) => member)).toEqual(["alice"]);
  expect((await listed(ROOT)).map(({ member }: { member: string }) => member)).toEqual(["alice", "bob"]);
  expect(JSON.stringify([await listed(ROOT), await backend.get("/api/audit", ROOT)])).not.toContain(secret.slice(6));
  expect((await backend.ask("DELETE", `/api/webhooks/${id}`, undefined, BOB)).body.error.code).toBe("NOT_FOUND");
  expect((await backend.post(`/api/webhooks/${id}/test`, {}, BOB)).body.error.code).toBe("NOT_FOUND");
  expect((await backend.get("/api/webhooks", { member: "cyd" })).body.error.code).toBe("FORBIDDEN");
  expect((await backend.ask("DELETE", `/api/webhooks/${id}`, undefined, ROOT)).body).toEqual({ id });
});

it("refuses operations that are never sent, and more than twenty webhooks", async () => {
  const refused = await add(ALICE, { events: ["chest_remembre"] });
  expect(refused.error.details.issues[0]).toMatchObject({ path: "events.0" });
  expect(refused.error.details.issues[0].message).toContain("chest_remember,");
  for (let many = 0; many < 20; many++) await add(ALICE);
  expect((await add(ALICE)).error).toMatchObject({ code: "INVALID_INPUT", hint: expect.stringContaining("remove") });
});
