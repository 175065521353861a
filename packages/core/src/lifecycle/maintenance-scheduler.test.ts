import { aCall, fixedClock, testEngine, testExecutor } from "@chest/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Engine } from "../ports/engine.ts";
import { PASSES } from "../ports/lifecycle.ts";
import { DEFAULT_MAINTENANCE, type MaintenanceSettings } from "./maintenance.ts";
import { type MaintenanceScheduler, openMaintenanceScheduler } from "./maintenance-scheduler.ts";

const DAY_MS = 86_400_000;
const opened: MaintenanceScheduler[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((scheduler) => scheduler.stop()));
});

function keep(over: Partial<MaintenanceSettings>, engine: Engine, clock = fixedClock()) {
  const log = { info: vi.fn(), warn: vi.fn() };
  const maintenance = { ...DEFAULT_MAINTENANCE, ...over };
  const scheduler = openMaintenanceScheduler({
    lifecycle: engine.lifecycle,
    maintenance,
    clock,
    log,
    debounceMs: 1,
    startMs: 1,
  });
  opened.push(scheduler);
  return { scheduler, log, clock, runs: () => engine.lifecycle.journal.runs(10) };
}

describe("the maintenance scheduler", () => {
  it("runs no oftener than the interval, and not while somebody else does", async () => {
    const { engine, clock } = await testExecutor();
    const { scheduler } = keep({ intervalMs: 60_000 }, engine, clock);
    const lease = await engine.lifecycle.lease();
    expect(await scheduler.run("timer")).toBe("locked");
    await lease?.release();
    const [first, second] = await Promise.all([scheduler.run("timer"), scheduler.run("timer")]);
    expect(first).toHaveLength(PASSES.length);
    expect(second).toBe("busy");
    expect(await scheduler.run("timer")).toBe("throttled");
    clock.advance(60_000);
    expect(await scheduler.run("timer")).toHaveLength(PASSES.length);
  });

  it("tells of every run how it ended, and of none that was not", async () => {
    const { engine, clock } = await testExecutor();
    const told: [string, number][] = [];
    const scheduler = openMaintenanceScheduler({
      lifecycle: engine.lifecycle,
      maintenance: DEFAULT_MAINTENANCE,
      clock,
      log: { info: vi.fn(), warn: vi.fn() },
      onRun: (outcome, passes) => told.push([outcome, passes.length]),
    });
    opened.push(scheduler);
    await scheduler.run("timer");
    expect(await scheduler.run("timer")).toBe("throttled");
    clock.advance(DAY_MS);
    vi.spyOn(engine.lifecycle.journal, "begin").mockRejectedValueOnce(new Error("no"));
    expect(await scheduler.run("timer")).toBe("error");
    expect(told).toEqual([
      ["done", PASSES.length],
      ["failed", 0],
    ]);
  });

  it("runs at the start, at every interval, and after so many stores", async () => {
    const { engine, clock } = await testExecutor();
    const { scheduler, runs } = keep({ intervalMs: 20, everyStores: 3 }, engine, clock);
    scheduler.start();
    await expect.poll(async () => (await runs())[0]?.trigger).toBe("start");
    clock.advance(100);
    await expect.poll(async () => (await runs())[0]?.trigger).toBe("timer");
    await scheduler.stop();
    const other = keep({ everyStores: 3 }, engine, clock);
    clock.advance(DAY_MS);
    other.scheduler.stored();
    other.scheduler.stored();
    const before = (await runs()).length;
    other.scheduler.stored();
    await expect.poll(async () => (await runs())[0]).toMatchObject({ trigger: "writes", outcome: "done" });
    expect(await runs()).toHaveLength(before + 1);
  });

  it("compares what has just got its vector, however lately it ran, and notes it only when something came of it", async () => {
    const { engine, clock, executor } = await testExecutor();
    const { scheduler, runs } = keep({}, engine, clock);
    await scheduler.run("start");
    const remember = async (content: string) => {
      const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content };
      return Number((await executor.execute("chest_remember", fact, aCall())).memory_id);
    };
    const store = engine.as(aCall());
    const embed = async (id: number) => {
      const memory = await store.memories.byId(id);
      const { active } = await store.identities();
      const vector = new Float32Array(active.dimensions).fill(1);
      await store.write(async (tx) => memory && tx.vectors.put(memory, active, vector));
      scheduler.embedded();
    };
    const ids = [await remember("the port is 8080 here"), await remember("here the port is 8080")];
    await embed(ids[0] ?? 0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await runs()).toHaveLength(1);
    await embed(ids[1] ?? 0);
    await expect.poll(async () => (await runs())[0]).toMatchObject({ trigger: "vectors", outcome: "done" });
    expect((await store.memories.byId(ids[0] ?? 0))?.supersededById).toBe(ids[1]);
    clock.advance(DEFAULT_MAINTENANCE.intervalMs);
    expect(await scheduler.run("timer")).toHaveLength(PASSES.length);
  });

  it("goes on after a failure, and says so without a word of what is stored", async () => {
    const { engine, clock } = await testExecutor();
    const broken = {
      ...engine.lifecycle,
      sweeps: { ...engine.lifecycle.sweeps, expiry: () => Promise.reject(new Error("no")) },
    };
    const { scheduler, log, runs } = keep({ intervalMs: 1 }, { ...engine, lifecycle: broken }, clock);
    expect(await scheduler.run("timer")).toBe("error");
    expect(log.warn).toHaveBeenCalledOnce();
    expect((await runs())[0]).toMatchObject({ outcome: "failed" });
    expect(await engine.lifecycle.lease()).toBeDefined();
  });

  it("says when the clock has jumped, and is kept away by no run of the future once it is right again", async () => {
    const { engine, clock, executor } = await testExecutor();
    const { scheduler, log } = keep({}, engine, clock);
    await executor.execute(
      "chest_remember",
      { entity_name: "acme", entity_kind: "project", layer: "learning", content: "x" },
      aCall(),
    );
    const since = clock.now().toISOString();
    clock.advance(400 * DAY_MS);
    expect(await scheduler.run("timer")).toHaveLength(PASSES.length);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      {
        run: 1,
        since,
        passes: expect.arrayContaining(["expiry", "forgetting", "retention"]),
      },
      expect.stringContaining("wait"),
    );
    expect(await scheduler.run("timer")).toBe("throttled");
    clock.advance(-400 * DAY_MS);
    expect(await scheduler.run("timer")).toHaveLength(PASSES.length);
    expect(log.warn).toHaveBeenCalledOnce();
  });

  it("stops", async () => {
    const { scheduler, runs } = keep({ intervalMs: 5 }, await testEngine());
    scheduler.start();
    await scheduler.stop();
    scheduler.embedded();
    expect(await scheduler.run("timer")).toBe("stopped");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await runs()).toEqual([]);
  });
});
