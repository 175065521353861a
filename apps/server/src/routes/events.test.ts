import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "../testing/sqlite-app.ts";

let backend: SqliteApp;
afterEach(() => backend.close());

const ALICE: TestRequester = { member: "alice" };
const BOB: TestRequester = { member: "bob" };
// A stream looks for new events once a second.
const PATIENCE = { timeout: 15_000 };

/** Opens the stream over a socket, as a browser does. */
async function listen(by: TestRequester, headers: Record<string, string> = {}) {
  if (backend.app.server.address() === null) await backend.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = backend.app.server.address() as AddressInfo;
  const authorization = `Bearer ${await backend.tokenOf(by)}`;
  const response = await fetch(`http://127.0.0.1:${port}/events`, {
    headers: { authorization, accept: "text/event-stream", ...headers },
  });
  let text = "";
  const ended = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })();
  const events = () =>
    [...text.matchAll(/event: change\ndata: (.*)/g)].map(
      ([, data = ""]) => JSON.parse(data) as { seq: string; memory_ids: number[] },
    );
  return { response, ended, events, text: () => text };
}

it("reports changes as they happen, with ids only, to those who may see the memory", async () => {
  backend = await openSqliteApp();
  const [alice, bob] = [await listen(ALICE), await listen(BOB)];
  const secret = await backend.store("a secret of one alone", { visibility: "private" }, ALICE);
  const shared = await backend.store("known to the whole team", { visibility: "team" }, ALICE);

  await expect.poll(() => alice.events().flatMap(({ memory_ids }) => memory_ids), PATIENCE).toEqual([secret, shared]);
  await expect.poll(() => bob.events().flatMap(({ memory_ids }) => memory_ids), PATIENCE).toEqual([shared]);
  expect(alice.response.headers.get("content-type")).toContain("text/event-stream");
  expect(alice.text() + bob.text()).not.toMatch(/secret of one|whole team/);
});

it("resumes after the last event that a client knows", async () => {
  backend = await openSqliteApp();
  const first = await backend.store("the first of all", {}, ALICE);
  const second = await backend.store("another, told later", {}, ALICE);
  const { events } = (await backend.get("/events", ALICE)).body;
  expect(events.map(({ memory_ids: [id] }: { memory_ids: number[] }) => id)).toEqual([first, second]);

  const resumed = await listen(ALICE, { "last-event-id": String(events[0].seq) });

  await expect.poll(() => resumed.events().map(({ seq }) => seq), PATIENCE).toEqual([events[1].seq]);
});

it("skips nothing after a long absence, by request or by stream", async () => {
  backend = await openSqliteApp();
  const first = await backend.store("the last that was known", {}, ALICE);
  const { last } = (await backend.get("/events", ALICE)).body;
  const missed: number[] = [];
  for (let nth = 0; nth < 210; nth++) missed.push(await backend.store(`written while away ${nth}`, {}, ALICE));

  const asked: number[] = [];
  for (let after = last; ; ) {
    const { body } = await backend.get(`/events?after=${after}`, ALICE);
    expect(Object.keys(body).toSorted()).toEqual(["events", "last"]);
    asked.push(...body.events.flatMap(({ memory_ids }: { memory_ids: number[] }) => memory_ids));
    if (body.last === after) break;
    after = body.last;
  }
  const followed = await listen(ALICE, { "last-event-id": String(last) });

  expect(asked).toEqual(missed);
  await expect.poll(() => followed.events().flatMap(({ memory_ids }) => memory_ids), PATIENCE).toEqual(missed);
  // A request without a number gets the newest events.
  const { events } = (await backend.get("/events", ALICE)).body;
  expect(events).toHaveLength(200);
  expect(events.at(-1).memory_ids).toEqual([missed.at(-1)]);
  expect(first).toBeLessThan(missed[0] as number);
}, 120_000);

it("gives the newest events that a caller may see, however many it may not", async () => {
  backend = await openSqliteApp();
  const shared = await backend.store("known to the whole team", { visibility: "team" }, ALICE);
  for (let nth = 0; nth < 210; nth++)
    await backend.store(`a note of one alone ${nth}`, { visibility: "private" }, ALICE);

  const { events } = (await backend.get("/events", BOB)).body;

  expect(events.map(({ memory_ids }: { memory_ids: number[] }) => memory_ids)).toEqual([[shared]]);
}, 120_000);

it("ends when the token that opened it ends", async () => {
  backend = await openSqliteApp();
  const stream = await listen(ALICE);

  await backend.admin.disableMember({ name: "alice" });

  await stream.ended;
  expect(stream.events()).toEqual([]);
});

it("leaves room for other members, however many streams one member opens", async () => {
  backend = await openSqliteApp();
  const statuses = [];
  for (let nth = 0; nth < 33; nth++) statuses.push((await listen({ member: "mallory" })).response.status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(32);
  expect(statuses.at(-1)).toBe(429);
  expect((await listen(ALICE)).response.status).toBe(200);
});

it("reports nothing from the time when a memory was private to its author", async () => {
  backend = await openSqliteApp();
  const id = await backend.store("alice alone knows this", { visibility: "private" }, ALICE);
  backend.advance(2000);
  await backend.tool("chest_update_memory", { memory_id: id, content: "alice alone knows this, draft two" }, ALICE);
  backend.advance(2000);
  await backend.tool("chest_update_memory", { memory_id: id, visibility: "team" }, ALICE);
  expect((await backend.get("/events?after=0", BOB)).body.events).toHaveLength(1);
  expect((await backend.get("/events?after=0", ALICE)).body.events).toHaveLength(3);
});

const ofTeam = { visibility: "team" };
const ofOneAlone = { visibility: "private" };

it("gives cursors that reveal nothing hidden, and are valid for no other member", async () => {
  backend = await openSqliteApp();
  const first = await backend.store("known to the whole team", ofTeam, ALICE);
  const before = (await backend.get("/events", BOB)).body;
  for (let nth = 0; nth < 5; nth++) await backend.store(`a note of one alone ${nth}`, ofOneAlone, ALICE);

  expect((await backend.get("/events", BOB)).body).toEqual(before);
  expect((await backend.get(`/events?after=${before.last}`, BOB)).body).toEqual({ events: [], last: before.last });
  expect(before.last).toBe(before.events[0].seq);
  const hers = (await backend.get("/events", ALICE)).body;
  expect(hers.events[0].memory_ids).toEqual([first]);
  expect(hers.events[0].seq).not.toBe(before.last);
  expect((await backend.get(`/events?after=${hers.last}`, BOB)).status).toBe(400);
  expect((await backend.get("/events?after=nonsense", BOB)).status).toBe(400);

  const stream = await listen(BOB);
  await expect.poll(() => /^id: (.*)$/m.exec(stream.text())?.[1], PATIENCE).toBe(before.last);
});

it("fills a page with events that the caller may see, whatever lies in between", async () => {
  backend = await openSqliteApp();
  const { last } = (await backend.get("/events", BOB)).body;
  const shared: number[] = [];
  for (let nth = 0; nth < 3; nth++) {
    for (let other = 0; other < 80; other++)
      await backend.store(`a note of one alone ${nth} ${other}`, ofOneAlone, ALICE);
    shared.push(await backend.store(`known to the whole team ${nth}`, ofTeam, ALICE));
  }
  const { body } = await backend.get(`/events?after=${last}`, BOB);
  expect(body.events.flatMap(({ memory_ids }: { memory_ids: number[] }) => memory_ids)).toEqual(shared);
}, 120_000);

it("still resumes at a number of an earlier release", async () => {
  backend = await openSqliteApp();
  const first = await backend.store("the first of all", {}, ALICE);
  const seq = (await backend.engine.audit.list({ limit: 1 }))[0]?.seq;
  const second = await backend.store("another, told later", {}, ALICE);

  const { events } = (await backend.get(`/events?after=${seq}`, ALICE)).body;
  expect(events.map(({ memory_ids: [id] }: { memory_ids: number[] }) => id)).toEqual([second]);
  expect(first).toBeLessThan(second);
  const followed = await listen(ALICE, { "last-event-id": String(seq) });
  await expect.poll(() => followed.events().flatMap(({ memory_ids }) => memory_ids), PATIENCE).toEqual([second]);
});

it("narrows changes to a member, a project and a day", async () => {
  backend = await openSqliteApp();
  const inApple = { ...BOB, project: "host/org/apple" };
  const hers = await backend.store("alice's of the first day", ofTeam, ALICE);
  const apple = await backend.store("of apple alone", { visibility: "project" }, inApple);
  const told = await backend.store("of apple, for the whole team", ofTeam, inApple);
  backend.advance(24 * 3_600_000);
  const later = await backend.store("bob's of the second day", ofTeam, BOB);
  const ids = async (query: string) => {
    const { body } = await backend.get(`/events?${query}`, ALICE);
    return body.events.flatMap(({ memory_ids }: { memory_ids: number[] }) => memory_ids);
  };
  const [first, second] = (await backend.get("/events", ALICE)).body.events
    .filter((_: unknown, at: number, { length }: { length: number }) => at === 0 || at === length - 1)
    .map(({ at }: { at: string }) => at.slice(0, 10));

  expect(await ids("")).toEqual([hers, apple, told, later]);
  expect(await ids("member=alice")).toEqual([hers]);
  expect(await ids("member=bob&after=0")).toEqual([apple, told, later]);
  expect(await ids("project=host/org/apple")).toEqual([apple, told]);
  expect(await ids("project=host/org/nobodys")).toEqual([]);
  expect(await ids(`since=${second}`)).toEqual([later]);
  expect(await ids(`since=${first}&until=${first}&member=bob&project=host/org/apple`)).toEqual([apple, told]);
  expect((await backend.get("/events?since=nonsense", ALICE)).body.error.message).toContain("since");
});
