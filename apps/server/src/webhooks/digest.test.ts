import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "../testing/sqlite-app.ts";

const ALICE: TestRequester = { member: "alice", scopes: ["read", "write", "operate"] };
const BOB: TestRequester = { member: "bob", scopes: ["read", "write", "operate"] };
const ROOT: TestRequester = { member: "root", scopes: ["read", "write", "operate", "admin"] };
const PATIENCE = { timeout: 15_000 };
const DAY_MS = 86_400_000;

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly message: { readonly type: string; readonly data: { readonly text: string; readonly since: number } };
}

let backend: SqliteApp;
let got: Got[];
let status: number;
let url: string;
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    got.push({ headers: request.headers, body, message: JSON.parse(body) });
    response.writeHead(status).end();
  });
});
beforeEach(async () => {
  [got, status] = [[], 204];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chest`;
  backend = await openSqliteApp({ CHEST_ALLOW_PRIVATE_ADDRESSES: "true" });
});
afterEach(async () => {
  await backend.close();
  await new Promise((resolve) => server.close(resolve));
});

const add = async (events: readonly string[] | undefined, by = ALICE) =>
  (await backend.post("/api/webhooks", { url, ...(events && { events }) }, by)).body;
const listed = async () => (await backend.get("/api/webhooks", ROOT)).body.webhooks;
const digests = () => got.filter(({ message: { type } }) => type === "digest");
/** Starts deliveries a day later. @returns the texts of this many digests. */
async function textsAfterADay(count: number): Promise<string> {
  backend.advance(DAY_MS);
  backend.deliveries.start();
  await expect.poll(() => digests().length, PATIENCE).toBe(count);
  return digests()
    .map(({ message: { data } }) => data.text)
    .join("\n");
}

it("sends a signed digest with text when a day is over; the next one begins where it ended", async () => {
  const { secret, carries } = await add(["digest"]);
  expect(carries).toBe("text");
  await backend.store("Herons fish at the weir", { project: "host/org/pond" }, BOB);
  await backend.store("Otters hide below the bridge", { layer: "realize", visibility: "team" }, BOB);
  const text = await textsAfterADay(1);

  expect(text).toContain("2 memories in 2 places.");
  expect(text).toMatch(/In host\/org\/pond: 1 memory\n\n- Herons fish at the weir \(#\d+, bob\)/);
  expect(text).toMatch(/## New pitfalls of colleagues\n\n- Otters hide below the bridge/);
  const [first] = digests();
  expect(new Webhook(secret).verify(first?.body ?? "", first?.headers as Record<string, string>)).toMatchObject({
    type: "digest",
    data: { text, _notice: expect.stringContaining("untrusted") },
  });

  await backend.store("Swans nest on the island", { visibility: "team" }, BOB);
  backend.advance(DAY_MS);
  await expect.poll(() => digests().length, PATIENCE).toBe(2);
  const second = digests()[1]?.message.data;
  expect(second?.text).toContain("Swans nest on the island");
  expect(second?.text).not.toContain("Herons");
});

it("waits for a week where configured, and repeats a failed delivery under its id", async () => {
  await add(["digest:weekly"]);
  await add(["digest"]);
  status = 500;
  await textsAfterADay(1);
  await expect
    .poll(async () => (await listed()).map(({ failures }: { failures: number }) => failures), PATIENCE)
    .toEqual([0, 1]);
  status = 204;
  backend.advance(6_000);
  await expect.poll(() => digests().length, PATIENCE).toBe(2);
  expect(new Set(digests().map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  await expect.poll(async () => (await listed())[1].failures, PATIENCE).toBe(0);

  backend.advance(6 * DAY_MS);
  const ids = () => new Set(digests().map(({ headers }) => String(headers["webhook-id"]).split("_")[1]));
  await expect.poll(() => ids().size, PATIENCE).toBe(2);
});

it("contains what its creator may see at that time, and no private memory, not even the creator's", async () => {
  await add(["digest"]);
  await backend.store("Of a place that closes", { project: "host/org/den" }, ROOT);
  await backend.store("Alice keeps this to herself", { visibility: "private" }, ALICE);
  await backend.store("Bob keeps this to himself", { visibility: "private" }, BOB);
  await backend.store("Everybody knows the ford", { visibility: "team" }, BOB);
  await backend.admin.setProject({ key: "host/org/den", access: "members", add: [] });
  const text = await textsAfterADay(1);

  expect(text).toContain("1 memory in 1 place.");
  expect(text).toContain("Everybody knows the ford");
  expect(text).not.toMatch(/closes|keeps this|den/);
});

it("ends with its creator, and with the token that it was made with", async () => {
  await add(["digest"]);
  await add(["digest"], BOB);
  await backend.store("Told to neither of them", { visibility: "team" }, ROOT);
  const [{ id: token }] = (await backend.get("/api/tokens", ALICE)).body.tokens;
  await backend.admin.revokeToken({ id: token });
  await backend.admin.disableMember({ name: "bob" });
  backend.advance(DAY_MS);
  backend.deliveries.start();

  await expect.poll(listed, PATIENCE).toEqual([]);
  expect(got).toEqual([]);
});

it("goes only to webhooks that name it explicitly; all others carry ids", async () => {
  for (const events of [["digest", "chest_remember"], ["digest*"], ["digest:hourly"], ["digest", "digest:weekly"]]) {
    const { error } = await add(events);
    expect([events, error.details.issues[0].path]).toEqual([events, expect.stringMatching(/^events\.\d$/)]);
  }
  expect((await add(undefined)).carries).toBe("ids");
  expect((await add(["d*"])).carries).toBe("ids");
  await backend.store("Nothing of this leaves", { visibility: "team" }, BOB);
  backend.advance(8 * DAY_MS);
  backend.deliveries.start();
  await expect.poll(() => got.length, PATIENCE).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      const newest = await backend.engine.audit.newest();
      return (await backend.engine.webhooks.list()).every(({ cursor }) => cursor >= newest);
    }, PATIENCE)
    .toBe(true);
  expect(digests()).toEqual([]);
  expect(got.map(({ body }) => body).join()).not.toContain("leaves");
});
