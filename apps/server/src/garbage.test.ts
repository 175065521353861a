import { setTimeout as sleep } from "node:timers/promises";
import { cachedDataVersionTag } from "node:v8";
import { afterEach, describe, expect, it, vi } from "vitest";
import { collectWhenQuiet } from "./garbage.ts";

const LOOK_MS = 20;

describe("collectWhenQuiet", () => {
  let collecting: ReturnType<typeof collectWhenQuiet> | undefined;
  afterEach(() => collecting?.stop());

  it("collects unreferenced objects once the event loop is quiet", async () => {
    const garbage = new WeakRef({});

    collecting = collectWhenQuiet({ lookMs: LOOK_MS });

    await vi.waitUntil(() => garbage.deref() === undefined, { timeout: 10_000, interval: 100 });
  });

  it("leaves garbage while there is work", async () => {
    const garbage = new WeakRef({});
    collecting = collectWhenQuiet({ lookMs: LOOK_MS });

    for (let turn = 0; turn < 20; turn++) await work();

    expect(garbage.deref()).toBeDefined();
  });

  it("leaves garbage that is not worth a collection", async () => {
    collecting = collectWhenQuiet({ lookMs: LOOK_MS, worthBytes: Number.POSITIVE_INFINITY });
    const garbage = new WeakRef({});

    await sleep(10 * LOOK_MS);

    expect(garbage.deref()).toBeDefined();
  });

  it("leaves the flags of V8 as they were, so that compiled code stays valid", () => {
    const before = cachedDataVersionTag();

    collecting = collectWhenQuiet();

    expect(cachedDataVersionTag()).toBe(before);
  });
});

/** Keeps the loop busy for two intervals, then lets its timers run. */
async function work(): Promise<void> {
  const end = performance.now() + 2 * LOOK_MS;
  while (performance.now() < end);
  await new Promise(setImmediate);
}
