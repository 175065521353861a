import { aCall, recordingEmbedder, TINY_IDENTITY, testExecutor, testPorts, transcriptOf } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openPipeline } from "../pipeline.ts";
import { TOOLS } from "../tools/index.ts";
import { captureTranscript } from "../transcript/capture.ts";
import { BackgroundEmbedder, type BackgroundOptions } from "./background.ts";

const OTHER = { ...TINY_IDENTITY, revision: "2" };
const A_MINUTE_MS = 60_000;

let backend: Awaited<ReturnType<typeof testExecutor>>;
let embedder: ReturnType<typeof recordingEmbedder>;
let background: BackgroundEmbedder;
const log = { info: vi.fn(), warn: vi.fn() };
beforeEach(async () => {
  backend = await testExecutor({ active: TINY_IDENTITY });
  embedder = recordingEmbedder();
  log.warn.mockClear();
});
afterEach(() => background.close());

function open(over: Partial<BackgroundOptions> = {}) {
  background = new BackgroundEmbedder({
    queue: backend.engine.pending,
    embedders: () => embedder,
    wanted: async () => [TINY_IDENTITY],
    log,
    isAfterWrite: true,
    isSweeping: true,
    sweepEveryMs: A_MINUTE_MS,
    ...over,
  });
  return openPipeline(TOOLS, backend.engine, { ...testPorts({ embedSoon: background.take }), clock: backend.clock });
}

const fact = (content: string) => ({ entity_name: "acme", entity_kind: "project", layer: "learning", content });
const pending = (identity = TINY_IDENTITY) => backend.engine.as(aCall()).memories.countPending("everywhere", identity);

describe("embedding in the background", () => {
  it("embeds what was written and what was changed, after the answer, which shows none of it", async () => {
    const executor = open();
    const held = Promise.withResolvers<void>();
    embedder.before = () => held.promise;
    const answer = await executor.execute("chest_remember", fact("first words"), aCall());
    expect(answer.embedding).toEqual({ status: "pending" });
    held.resolve();
    await vi.waitFor(async () => expect(await pending()).toBe(0));
    await executor.execute("chest_update_memory", { memory_id: answer.memory_id, content: "second words" }, aCall());
    await vi.waitFor(async () => expect(await pending()).toBe(0));
    expect(embedder.passages).toEqual(["first words", "second words"]);
  });

  it("embeds what was captured of a session right after it, and nothing of its journal", async () => {
    open({ isSweeping: false });
    const { user, says } = transcriptOf("s1");
    const rule = "Never deploy the bakery before the ovens are cold.";
    const lines = [user("Where do the ovens stand?"), says("In the yard."), user(rule), says("Understood.")];
    const store = backend.engine.as(aCall());
    const ports = { store, clock: backend.clock, embedSoon: background.take };
    await captureTranscript(() => lines, {}, ports, aCall().caller);
    await vi.waitFor(async () => expect(await pending()).toBe(0));
    expect(embedder.passages).toEqual([rule]);
  });

  it("says which words are longer than the model reads", async () => {
    const executor = open();
    embedder.reads = 10;
    const { memory_id } = await executor.execute("chest_remember", fact("longer than ten"), aCall());
    await vi.waitFor(() =>
      expect(log.info).toHaveBeenCalledWith(
        { ids: [memory_id], model: TINY_IDENTITY.model },
        expect.stringContaining("longer than the model's limit"),
      ),
    );
  });

  it("embeds the same words again neither for a duplicate nor for a sweep", async () => {
    const executor = open();
    await executor.execute("chest_remember", fact("said twice"), aCall());
    await vi.waitFor(async () => expect(await pending()).toBe(0));
    await executor.execute("chest_remember", fact("said twice"), aCall());
    backend.clock.advance(A_MINUTE_MS);
    background.sweep();
    await executor.execute("chest_remember", fact("something else"), aCall());
    await vi.waitFor(async () => expect(await pending()).toBe(0));
    expect(embedder.passages).toEqual(["said twice", "something else"]);
  });

  it("leaves a write pending and says so once when there is no model, and sweeps it up when there is one", async () => {
    const executor = open({ sweepEveryMs: 10 });
    embedder.isUsable = false;
    background.start();
    for (const content of ["one", "two", "three"]) await executor.execute("chest_remember", fact(content), aCall());
    await vi.waitFor(() =>
      expect(log.warn).toHaveBeenCalledWith({ reason: "no_model", hint: "fetch it" }, "the model is gone"),
    );
    expect(await pending()).toBe(3);
    backend.clock.advance(A_MINUTE_MS);
    expect(log.warn).toHaveBeenCalledTimes(1);
    embedder.isUsable = true;
    await vi.waitFor(async () => expect(await pending()).toBe(0));
  });

  it.each([
    [true, false, "no_model", "info"],
    [true, true, "no_model", "warn"],
    [true, false, "failed", "warn"],
    [false, false, "no_model", "warn"],
  ] as const)(
    "tells what nobody asked for, and warns of the rest: optional %s, partly there %s, %s",
    async (isOptional, isPartial, reason, how) => {
      log.info.mockClear();
      embedder.state = async () => ({ isUsable: false, reason, isPartial, message: "none", hint: "fetch it" });
      const executor = open({ isOptional, isSweeping: false });
      await executor.execute("chest_remember", fact("one"), aCall());
      await vi.waitFor(() => expect(log[how]).toHaveBeenCalledWith({ reason, hint: "fetch it" }, "none"));
      expect(log[how === "warn" ? "info" : "warn"]).not.toHaveBeenCalled();
    },
  );

  it("gives a text up that its model is late with, and leaves it to whoever claims it", async () => {
    const executor = open({ afterWriteMs: 20, isSweeping: false });
    embedder.before = () => new Promise((resolve) => setTimeout(resolve, 60));
    await executor.execute("chest_remember", fact("too slow"), aCall());
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce());
    expect(await pending()).toBe(1);
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain("too slow");
  });

  it("keeps no more than some hundreds of texts waiting; a sweep finds the others", async () => {
    const executor = open({ afterWriteMs: A_MINUTE_MS });
    const held = Promise.withResolvers<void>();
    const atModel = Promise.withResolvers<void>();
    embedder.before = () => {
      atModel.resolve();
      return held.promise;
    };
    await executor.execute("chest_remember", fact("fact 0"), aCall());
    await atModel.promise;
    for (let at = 1; at < 600; at++) await executor.execute("chest_remember", fact(`fact ${at}`), aCall());
    held.resolve();
    // The one under way, and 512 that waited.
    await vi.waitFor(() => expect(embedder.passages.length).toBeGreaterThan(512));
    await background.settle(A_MINUTE_MS);
    expect(await pending()).toBeGreaterThanOrEqual(600 - 512 - 16);

    backend.clock.advance(A_MINUTE_MS);
    background.sweep();
    await vi.waitFor(async () => expect(await pending()).toBe(0));
    expect(new Set(embedder.passages).size).toBe(600);
    expect(embedder.passages).toHaveLength(600);
  });

  it("embeds for the identity that follows, too, and tells when it is through", async () => {
    const others = recordingEmbedder(OTHER);
    const executor = open({
      embedders: (identity) => (identity.revision === OTHER.revision ? others : embedder),
      wanted: async () => [TINY_IDENTITY, OTHER],
      onSwept: async () => void (await backend.engine.identities.settle()),
    });
    await executor.execute("chest_remember", fact("moves on"), aCall());
    await vi.waitFor(async () => expect(await pending()).toBe(0));
    await backend.engine.identities.begin(OTHER);
    backend.clock.advance(A_MINUTE_MS);
    background.sweep();
    await vi.waitFor(async () => expect((await backend.engine.identities.current()).active).toEqual(OTHER));
    expect(others.passages).toEqual(["moves on"]);
  });

  it("stops in the middle, and what it had claimed is free", async () => {
    const executor = open({ isAfterWrite: false });
    await executor.execute("chest_remember", fact("interrupted"), aCall());
    backend.clock.advance(A_MINUTE_MS);
    const begun = Promise.withResolvers<void>();
    embedder.before = () => {
      begun.resolve();
      return new Promise((resolve) => setTimeout(resolve, 30));
    };
    background.sweep();
    await begun.promise;
    await background.close();
    const ask = { identity: TINY_IDENTITY, cursor: 0, limit: 5, leaseMs: 1000, claimant: "another" };
    expect((await backend.engine.pending.claim(ask)).items).toHaveLength(1);
  });
});
