import { describe, expect, it } from "vitest";
import { round, seconds, some } from "./wire.ts";

describe("what leaves", () => {
  it("has numbers rounded to so many places", () => {
    expect([round(4.2714, 2), round(27.55, 1), round(0.69949, 3), round(1, 3), round(0, 2)]).toEqual([
      4.27, 27.6, 0.699, 1, 0,
    ]);
  });

  it("has times as whole unix seconds", () => {
    expect(seconds(new Date("2026-11-21T12:00:00.999Z"))).toBe(1_795_262_400);
  });

  it("has no list with nothing in it", () => {
    expect({ ...some("skipped", []) }).toEqual({});
    expect({ ...some("skipped", [1]) }).toEqual({ skipped: [1] });
  });
});
