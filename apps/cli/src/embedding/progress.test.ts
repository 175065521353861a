import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openDrainProgress } from "./progress.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

it("says how much is done, what is left, and for how long; no end before it knows its pace", () => {
  const written: string[] = [];
  const progress = openDrainProgress({ write: (text) => written.push(text) });
  for (const [done, perSecond] of [
    [0, 0],
    [100, 50.4],
  ] as const) {
    vi.advanceTimersByTime(10_000);
    progress.tell(done, 1000 - done, perSecond);
  }
  expect(written).toEqual(["embedded 0, 1000 to go, 0/s\n", "embedded 100, 900 to go, 50/s, about 18 s left\n"]);
});
