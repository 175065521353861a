import { describe, expect, it } from "vitest";
import { bandOf, heat } from "./heat.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const before = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const FRESH = { accessCount: 0, importance: 0.5, createdAt: NOW, lastAccessedAt: undefined };

describe("heat", () => {
  it("of a fresh memory with no say is 27.5", () => {
    expect(heat(FRESH, undefined, NOW)).toBe(27.5);
  });

  it.each([
    [7, 27.5],
    [7.01, 17.5],
    [30, 17.5],
    [30.01, 7.5],
    [90, 7.5],
    [90.01, 0],
  ])("falls with the days since its creation: %s", (days, expected) => {
    expect(heat({ ...FRESH, createdAt: before(days) }, undefined, NOW)).toBe(expected);
  });

  it("counts from the last access rather than the creation", () => {
    expect(heat({ ...FRESH, createdAt: before(400), lastAccessedAt: before(1) }, undefined, NOW)).toBe(27.5);
  });

  it.each([
    [1, 1, 1, 32],
    [10, 10, 10, 72.5],
    [11, 11, 11, 74],
    [50, 50, 50, 92.5],
    [0, 25, 30, 62.5],
  ])(
    "with %s accesses in 30 days, %s in 90 and %s in all is %s",
    (within30Days, within90Days, accessCount, expected) => {
      expect(heat({ ...FRESH, accessCount }, { within30Days, within90Days }, NOW)).toBe(expected);
    },
  );

  it("stays between 0 and 100", () => {
    expect(heat({ ...FRESH, importance: 0, createdAt: before(1000) }, undefined, NOW)).toBe(0);
    const busy = { within30Days: 1000, within90Days: 1000 };
    expect(heat({ ...FRESH, importance: 1, accessCount: 1000 }, busy, NOW)).toBe(100);
  });

  it.each([
    [70, "hot"],
    [69.9, "warm"],
    [40, "warm"],
    [39.9, "cold"],
    [20, "cold"],
    [19.9, "frozen"],
  ])("of %s is %s", (value, band) => {
    expect(bandOf(value, { createdAt: before(2) }, NOW)).toBe(band);
  });

  it.each([
    [0, 27.5, "warm"],
    [1, 0, "warm"],
    [1, 70, "hot"],
    [1.01, 27.5, "cold"],
  ])("of what was saved %s days ago, at %s, is %s", (days, value, band) => {
    expect(bandOf(value, { createdAt: before(days) }, NOW)).toBe(band);
  });
});
