import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend } from "../support/backend.ts";
import { ask, mcpDoor } from "../support/clients/doors.ts";
import { aFact, LoneClient, remember, storedIn } from "../support/clients/lone-client.ts";
import type { StdioClient } from "../support/clients/stdio-client.ts";

const notes = (count: number) => Array.from({ length: count }, (_, at) => `note ${at} of the day without a backend`);

describe("an agent remembers while the backend is away", () => {
  let lone: LoneClient;

  beforeEach(async () => {
    lone = await LoneClient.open();
  });
  afterEach(() => lone.close());

  const queue = async (client: StdioClient, contents: readonly string[]) => {
    for (const content of contents) {
      const { result } = await remember(client, content);
      expect(result).toMatchObject({ ok: true, queued: true, queue_id: expect.any(String), note: expect.any(String) });
    }
    expect(lone.waiting).toBe(contents.length);
  };
  /** Each call tries the backend for a second; in parallel they share it, and are kept in any order. */
  const queueAtOnce = async (client: StdioClient, contents: readonly string[]) => {
    const answers = await Promise.all(contents.map((content) => remember(client, content)));
    for (const { result } of answers) expect(result).toMatchObject({ ok: true, queued: true });
    expect(lone.waiting).toBe(contents.length);
  };
  const storedSorted = async (backend: Backend) => (await storedIn(backend)).toSorted();
  const untilDelivered = () => vi.waitFor(() => expect(lone.waiting).toBe(0), { timeout: 20_000, interval: 50 });

  it("queues writes, delivers them once and in order before a later call, and says so meanwhile", async () => {
    const client = await lone.connect();
    await queue(client, notes(10));
    const { error } = await mcpDoor(client.client).call("chest_recall", { query: "note" });
    expect(error).toMatchObject({ code: "BACKEND_UNREACHABLE", hint: expect.stringContaining("doctor client") });

    const backend = await lone.startBackend();
    await lone.deliveredBeforeACall(client);
    const { memory_id } = await ask(mcpDoor(client.client), "chest_remember", aFact("and now it is back"));
    expect(memory_id).toBe(11);
    expect(await storedIn(backend)).toEqual([...notes(10), "and now it is back"]);
  });

  it("delivers before the first call after the backend is back, which finds the queued memories", async () => {
    const client = await lone.connect();
    await queue(client, notes(3));
    await mcpDoor(client.client).call("chest_recall", { query: "note" });
    await lone.startBackend();

    const { memories } = await ask(mcpDoor(client.client), "chest_recall", { entity_name: "acme-api" });

    expect(memories).toHaveLength(3);
    expect(await ask(mcpDoor(client.client), "chest_remember", aFact("and on"))).toMatchObject({ memory_id: 4 });
  });

  it("loses and doubles nothing when the client is killed and started again", async () => {
    const killed = await lone.connect();
    await queue(killed, notes(5));
    process.kill(killed.pid, "SIGKILL");
    const backend = await lone.startBackend();
    await lone.connect();
    await untilDelivered();
    expect(await storedIn(backend)).toEqual(notes(5));
  });

  it("doubles nothing when three clients with one data folder drain at once", async () => {
    const first = await lone.connect();
    await queueAtOnce(first, notes(40));
    process.kill(first.pid, "SIGKILL");
    const backend = await lone.startBackend();
    await Promise.all([lone.connect(), lone.connect(), lone.connect()]);
    await untilDelivered();
    expect(await storedSorted(backend)).toEqual(notes(40).toSorted());
  });

  it("loses and doubles nothing when the backend dies in the middle of the delivery", async () => {
    const client = await lone.connect();
    await queueAtOnce(client, notes(60));
    const dying = await lone.startBackend();
    const delivering = lone.deliveredBeforeACall(client).catch(() => undefined);
    await vi.waitFor(() => expect(lone.waiting).toBeLessThan(55), { timeout: 10_000, interval: 1 });
    await dying.kill9();
    const backend = await lone.startBackend();
    await delivering;
    await lone.deliveredBeforeACall(client);
    expect(await storedSorted(backend)).toEqual(notes(60).toSorted());
  });

  it("is told at once of a write that no backend would accept", async () => {
    const client = await lone.connect();
    const { error } = await mcpDoor(client.client).call("chest_remember", { ...aFact("x"), layer: "gossip" });
    expect(error).toMatchObject({ code: "INVALID_INPUT" });
    expect(lone.waiting).toBe(0);
  });
});
