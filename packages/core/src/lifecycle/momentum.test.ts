import { describe, expect, it } from "vitest";
import { momentum, momentumBand } from "./momentum.ts";

const QUIET = { lastDay: 0, lastWeek: 0, total: 0, days: 0, meanImportance: undefined };

describe("momentum", () => {
  it.each([
    ["nothing at all", {}, 0.4 * 5],
    ["one event just now", { lastDay: 1, lastWeek: 1, total: 1 }, 0.4 * 5 + 0.3 * 7 + (0.3 * 4) / 7],
    ["three events today", { lastDay: 3, lastWeek: 3, total: 3 }, 0.4 * 5 + 0.3 * 10 + (0.3 * 4) / 7],
    ["one this week after long rest", { lastWeek: 1, total: 10, days: 700 }, 0.4 * 5 + 0.3 * 2 + 0.3 * 10],
    ["three this week as ever", { lastWeek: 3, total: 30, days: 70 }, 0.4 * 5 + 0.3 * 4 + 0.3 * 4],
    ["twice the usual", { lastDay: 1, lastWeek: 4, total: 20, days: 70 }, 0.4 * 5 + 0.3 * 7 + 0.3 * 7],
    ["recent ones and no total", { lastWeek: 1 }, 0.4 * 5 + 0.3 * 2 + 0.3 * 5],
    ["long gone", { total: 100, days: 400 }, 0.4 * 5],
  ])("of %s", (_, over, expected) => {
    expect(momentum({ ...QUIET, ...over })).toBeCloseTo(expected, 10);
  });

  it("counts the quality of the week's memories, to ten", () => {
    expect(momentum({ ...QUIET, meanImportance: 1 })).toBe(4);
    expect(momentum({ ...QUIET, meanImportance: 0 })).toBe(0);
  });

  it.each([
    [7, "surging"],
    [6.99, "active"],
    [4, "active"],
    [3.99, "quiet"],
    [1.5, "quiet"],
    [1.49, "dormant"],
  ])("of %s is %s", (value, band) => {
    expect(momentumBand(value)).toBe(band);
  });
});
