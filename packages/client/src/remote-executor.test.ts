import { ChestError } from "@chest/contracts";
import { localCaller } from "@chest/core/access";
import { TOOLS } from "@chest/core/tools";
import { aCall } from "@chest/testing";
import { afterEach, expect, it } from "vitest";
import { type Backend, openBackend } from "./backend.ts";
import { knownCapabilities } from "./capabilities.ts";
import { keyed, remoteExecutor } from "./remote-executor.ts";
import { cutAfter, type FakeBackend, type FakeBackendOptions, refuse, startFakeBackend } from "./testing/index.ts";

let fake: FakeBackend;
let backend: Backend;

async function start(options: FakeBackendOptions = {}) {
  fake = await startFakeBackend(options);
  backend = openBackend({ url: fake.url, token: "t", client: () => ({ name: "c", version: "1", wire: "1.6.0" }) });
  return remoteExecutor(TOOLS, backend, knownCapabilities(backend), keyed);
}

afterEach(async () => {
  backend.close();
  await fake.stop();
});

const A_FACT = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "a fact" };

it("gives a write one key, and a read none", async () => {
  const executor = await start();

  await executor.execute("chest_remember", A_FACT, aCall());
  await executor.execute("chest_remember", A_FACT, aCall());
  await executor.execute("chest_recall", { query: "x" }, aCall());

  const keys = fake.calls.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), expect.stringMatching(/^[\w-]{36}$/), undefined]);
  expect(keys[0]).not.toBe(keys[1]);
});

it("says where the agent works, in any script, and which span it is part of", async () => {
  const executor = await start();
  const caller = localCaller("git.example/プロジェクト/ü", { name: "c", version: "1", session: "s-1" });

  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  await executor.execute("chest_recall", { query: "x" }, aCall({ caller, requestId: "r-1", traceparent }));

  expect(fake.calls[0]?.headers).toMatchObject({
    traceparent,
    "x-chest-project": encodeURIComponent("git.example/プロジェクト/ü"),
    "x-chest-session": "s-1",
    "x-request-id": "r-1",
  });
});

it.each([
  ["leaves out what an older backend would refuse", [], { query: "x" }],
  ["keeps it where the backend knows it", ["recall-explain"], { query: "x", explain: false }],
])("%s", async (_, features, sent) => {
  const executor = await start({ capabilities: { features } });

  await executor.execute("chest_recall", { query: "x", explain: false }, aCall());

  expect(JSON.parse(fake.calls[0]?.body ?? "")).toEqual(sent);
});

it("repeats a lost write under its key, and it is stored once", async () => {
  const executor = await start();
  fake.meet(cutAfter);

  expect(await executor.execute("chest_remember", A_FACT, aCall())).toEqual({ ok: true, memory_id: 1 });
  expect(fake.stored.size).toBe(1);
});

it("never sends a write twice to a backend that honours no keys", async () => {
  const executor = await start({ capabilities: { features: [] } });
  fake.meet(cutAfter);

  await expect(executor.execute("chest_remember", A_FACT, aCall())).rejects.toThrow(ChestError);
  expect(fake.calls).toHaveLength(1);
});

it("repeats a read there", async () => {
  const executor = await start({ capabilities: { features: [] } });
  fake.meet(cutAfter);

  await executor.execute("chest_recall", { query: "x" }, aCall());

  expect(fake.calls).toHaveLength(2);
});

it("asks for the capabilities again after a 426", async () => {
  const executor = await start();
  fake.meet(refuse(426, "CLIENT_TOO_OLD"));

  await expect(executor.execute("chest_recall", { query: "x" }, aCall())).rejects.toMatchObject({
    code: "CLIENT_TOO_OLD",
  });
  await executor.execute("chest_recall", { query: "x" }, aCall());

  expect(fake.requests.filter(({ path }) => path === "/capabilities")).toHaveLength(2);
});

it("passes on what a newer backend adds", async () => {
  const executor = await start({ answer: () => ({ ok: true, shiny: [1] }) });

  expect(await executor.execute("chest_recall", { query: "x" }, aCall())).toEqual({ ok: true, shiny: [1] });
});

it("knows its tools", async () => {
  const executor = await start();

  await expect(executor.execute("chest_sing", {}, aCall())).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
});
