import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { until } from "./until.ts";

describe("work until a signal ends it", () => {
  it("gives what the work gives, and leaves nothing at the signal", async () => {
    const { signal } = new AbortController();
    expect(await until(signal, async () => 7)).toBe(7);
    await expect(until(signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("gives nothing once the signal has ended it, and waits for no work that hangs", async () => {
    const ending = new AbortController();
    const given = until(ending.signal, () => new Promise(() => undefined));
    ending.abort();
    expect(await given).toBeUndefined();
    expect(await until(ending.signal, () => new Promise(() => undefined))).toBeUndefined();
  });
});
