import { setTimeout as sleep } from "node:timers/promises";
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addErrors } from "./errors.ts";
import { addTurns } from "./turns.ts";

let app: FastifyInstance;
/** Running requests by member, in the order in which they began. */
let begun: string[];
let ends: (() => void)[];

beforeEach(async () => {
  [begun, ends] = [[], []];
  app = Fastify({ forceCloseConnections: true });
  addErrors(app, { log: { error: () => {} } });
  app.addHook("onRequest", async (request) => {
    const name = String(request.headers["x-member"]);
    request.caller = { member: { id: name, name } } as never;
  });
  const work: FastifyPluginAsync = async (scope) => {
    addTurns(scope);
    scope.get("/work", async (request) => {
      begun.push(String(request.headers["x-member"]));
      await new Promise<void>((resolve) => ends.push(resolve));
      return { ok: true };
    });
  };
  await app.register(work);
  await app.ready();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends) end();
  await app.close();
});

const ask = (member: string) => app.inject({ url: "/work", headers: { "x-member": member } });
const many = (member: string, count: number) => Array.from({ length: count }, () => ask(member));
const hasBegun = (...expected: readonly string[]) => vi.waitFor(() => expect(begun).toEqual(expected));
/** Time after which every request that may begin has begun. */
const aMoment = () => sleep(50);

it("runs all requests of a single active member", async () => {
  void many("ann", 20);
  await hasBegun(...Array.from({ length: 20 }, () => "ann"));
});

it("runs one request per member at a time while several are active, and no other member waits", async () => {
  void ask("ben");
  await hasBegun("ben");
  const answers = many("ann", 5);
  await hasBegun("ben", "ann");
  await aMoment();
  expect(begun).toHaveLength(2);

  void ask("cleo");
  await hasBegun("ben", "ann", "cleo");
  ends[1]?.();
  await hasBegun("ben", "ann", "cleo", "ann");
  while (begun.filter((name) => name === "ann").length < 5) {
    for (const end of ends) end();
    await aMoment();
  }
  for (const end of ends) end();
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
});

describe("a request that waited", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  /** Gives every request that may begin without more time the chance to. */
  const settled = async () => {
    for (let nth = 0; nth < 50; nth++) await new Promise((resolve) => setImmediate(resolve));
  };
  const started = async () => {
    void ask("ben");
    await settled();
    void many("ann", 3);
    await settled();
    expect(begun).toEqual(["ben", "ann"]);
  };

  it("begins after the requests of members who have none waiting", async () => {
    await started();
    void ask("cleo");
    await settled();
    ends[1]?.();
    await settled();
    ends[0]?.();
    await settled();
    expect(begun).toEqual(["ben", "ann", "cleo"]);
    ends[2]?.();
    await settled();
    expect(begun).toEqual(["ben", "ann", "cleo", "ann"]);

    ends[3]?.();
    await settled();
    expect(begun).toEqual(["ben", "ann", "cleo", "ann", "ann"]);
  });

  it("waits at most a quarter of a second for them", async () => {
    await started();
    await vi.advanceTimersByTimeAsync(100);
    ends[1]?.();
    await vi.advanceTimersByTimeAsync(249);
    await settled();
    expect(begun).toEqual(["ben", "ann"]);
    await vi.advanceTimersByTimeAsync(1);
    await settled();
    expect(begun).toEqual(["ben", "ann", "ann"]);
  });

  it("does not wait for members who have requests waiting", async () => {
    void many("ben", 3);
    await settled();
    void ask("ann");
    await settled();
    void ask("ben");
    void ask("ann");
    await settled();
    expect(begun).toEqual(["ben", "ben", "ben", "ann"]);
    ends[3]?.();
    await settled();
    expect(begun).toEqual(["ben", "ben", "ben", "ann", "ann"]);
  });
});

it("passes the turn of a long request to the member's next", async () => {
  void ask("ben");
  void many("ann", 2);
  await hasBegun("ben", "ann");
  await vi.waitFor(() => expect(begun).toEqual(["ben", "ann", "ann"]), { timeout: 10_000, interval: 100 });
});

it("runs nothing for a client that disconnected while it waited", async () => {
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const left = new AbortController();
  const fetched = (member: string, signal?: AbortSignal) =>
    fetch(`${url}/work`, { headers: { "x-member": member }, ...(signal && { signal }) }).catch(() => undefined);
  const asked = [fetched("ben"), fetched("ann")];
  await vi.waitFor(() => expect(begun.toSorted()).toEqual(["ann", "ben"]));
  const gone = fetched("ann", left.signal);
  await aMoment();
  left.abort();
  await gone;
  await aMoment();

  for (const end of ends) end();
  await Promise.all(asked);
  await aMoment();
  expect(begun).toHaveLength(2);
});

it("refuses more than 256 waiting requests, and says when to retry", async () => {
  void ask("ben");
  await hasBegun("ben");
  void many("ann", 1 + 256);
  await hasBegun("ben", "ann");
  await aMoment();
  const refused = await ask("ann");
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({ error: { code: "RATE_LIMITED", details: { limit: 256 } } });
  void ask("cleo");
  await hasBegun("ben", "ann", "cleo");
});
