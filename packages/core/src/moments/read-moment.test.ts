import { expect, it } from "vitest";
import { fixedMoment, readMoment } from "./read-moment.ts";

it.each(["2024-02-30", "2023-02-29T00:00:00Z", "2024-04-31T10:00", "2026-06-31T10:00:00+09:00", "2026-02-30T23:59Z"])(
  "refuses %s, a day that its month has not",
  (input) => {
    expect(() => readMoment(input, "since")).toThrow(`since: \`${input}\` is not a time`);
    expect(fixedMoment(input)).toBeUndefined();
  },
);

it("reads the last day of each month, of leap years and in any zone", () => {
  const days = ["2024-02-29", "2023-02-28", "2024-04-30", "2024-12-31"];
  expect(days.map((day) => readMoment(day, "since").toISOString().slice(0, 10))).toEqual(days);
  expect(readMoment("2024-03-01T00:30:00+09:00", "since").toISOString()).toBe("2024-02-29T15:30:00.000Z");
});
