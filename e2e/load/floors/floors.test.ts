import { describe, expect, it } from "vitest";
import { SUBJECTS } from "../against/writes.ts";
import recorded from "./figures.json" with { type: "json" };
import { limit } from "./floors.ts";

describe("a multiple of plain SQLite", () => {
  const of = { ratio: 4, highest: 5 };

  it("may be a quarter above the highest recorded one, since machines differ", () => {
    expect(limit([4, 4, 4], of)).toEqual({ text: "≤ × 6.25", isMet: true, isBinding: true });
    expect(limit([6.3, 6.3, 6.3], of).isMet).toBe(false);
  });

  it("fails by its median, not by one turn in which the machine was busy", () => {
    expect(limit([4, 4, 90], of).isMet).toBe(true);
    expect(limit([4, 7, 7], of).isMet).toBe(false);
  });

  it("fails where the repository has no figure", () => {
    expect(limit([1], undefined)).toEqual({ text: "not recorded", isMet: false, isBinding: true });
  });

  it("is recorded for each measure, with the median below the highest", () => {
    const writes = Object.keys(SUBJECTS).map((name) => `write, ${name}`);
    expect(Object.keys(recorded)).toEqual([...writes, "recall in a project", "recall everywhere"]);
    for (const { ratio, highest } of Object.values(recorded)) expect(highest).toBeGreaterThanOrEqual(ratio);
  });
});
