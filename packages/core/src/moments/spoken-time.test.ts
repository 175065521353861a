import { expect, it } from "vitest";
import { spokenTime } from "./spoken-time.ts";
import { momentOf, readTimeZone } from "./time-zone.ts";

// A Friday, half past ten in the evening in UTC, and Saturday noon in Auckland.
const NOW = new Date("2026-11-27T22:30:00Z");
const told = (text: string, zone = "UTC") => {
  const period = spokenTime(text, NOW, zone);
  return period && `${period.start.toISOString()} ${period.end.toISOString()}`.replaceAll(":00.000Z", "Z");
};
const DAY = (day: string) => `${day}T00:00Z ${day}T23:59:59.999Z`;

it.each([
  ["today", DAY("2026-11-27")],
  ["Yesterday", DAY("2026-11-26")],
  ["since yesterday", DAY("2026-11-26")],
  ["the day before yesterday", DAY("2026-11-25")],
  ["day before yesterday", DAY("2026-11-25")],
  ["3 days ago", DAY("2026-11-24")],
  ["2 weeks ago", DAY("2026-11-13")],
  ["1 month ago", DAY("2026-10-27")],
  ["last week", "2026-11-16T00:00Z 2026-11-22T23:59:59.999Z"],
  ["this week", "2026-11-23T00:00Z 2026-11-29T23:59:59.999Z"],
  ["last month", "2026-10-01T00:00Z 2026-10-31T23:59:59.999Z"],
  ["last year", "2025-01-01T00:00Z 2025-12-31T23:59:59.999Z"],
  ["3d", "2026-11-24T22:30Z 2026-11-24T22:30Z"],
  ["last 3 days", "2026-11-24T22:30Z 2026-11-24T22:30Z"],
  ["past 2 weeks", "2026-11-13T22:30Z 2026-11-13T22:30Z"],
  ["12h", "2026-11-27T10:30Z 2026-11-27T10:30Z"],
  ["90 minutes ago", "2026-11-27T21:00Z 2026-11-27T21:00Z"],
  ["2mo", "2026-09-27T22:30Z 2026-09-27T22:30Z"],
  ["Monday", DAY("2026-11-23")],
  ["on Friday", DAY("2026-11-27")],
  ["last Friday", DAY("2026-11-20")],
  ["last tue", DAY("2026-11-24")],
  ["now", "2026-11-27T22:30Z 2026-11-27T22:30Z"],
  ["今日", DAY("2026-11-27")],
  ["昨日", DAY("2026-11-26")],
  ["きのう", DAY("2026-11-26")],
  ["おととい", DAY("2026-11-25")],
  ["3日前", DAY("2026-11-24")],
  ["２週間前", DAY("2026-11-13")],
  ["三日前", DAY("2026-11-24")],
  ["1ヶ月前", DAY("2026-10-27")],
  ["先週", "2026-11-16T00:00Z 2026-11-22T23:59:59.999Z"],
  ["先週から", "2026-11-16T00:00Z 2026-11-22T23:59:59.999Z"],
  ["先月", "2026-10-01T00:00Z 2026-10-31T23:59:59.999Z"],
  ["月曜日", DAY("2026-11-23")],
  ["先週の月曜", DAY("2026-11-16")],
  ["先週の月曜日", DAY("2026-11-16")],
  ["昨天", DAY("2026-11-26")],
  ["前天", DAY("2026-11-25")],
  ["三天前", DAY("2026-11-24")],
  ["两周前", DAY("2026-11-13")],
  ["上周", "2026-11-16T00:00Z 2026-11-22T23:59:59.999Z"],
  ["上星期", "2026-11-16T00:00Z 2026-11-22T23:59:59.999Z"],
  ["上個月", "2026-10-01T00:00Z 2026-10-31T23:59:59.999Z"],
  ["星期一", DAY("2026-11-23")],
  ["周一", DAY("2026-11-23")],
  ["上周一", DAY("2026-11-16")],
  ["어제", DAY("2026-11-26")],
  ["그저께", DAY("2026-11-25")],
  ["지난주", "2026-11-16T00:00Z 2026-11-22T23:59:59.999Z"],
  ["지난 주", "2026-11-16T00:00Z 2026-11-22T23:59:59.999Z"],
  ["3일 전", DAY("2026-11-24")],
  ["2주 전", DAY("2026-11-13")],
  ["월요일", DAY("2026-11-23")],
  ["지난 금요일", DAY("2026-11-20")],
  ["gestern", DAY("2026-11-26")],
  ["vor 3 Tagen", DAY("2026-11-24")],
  ["hier", DAY("2026-11-26")],
])("`%s` is a time", (text, period) => {
  expect(told(text)).toBe(period);
});

it.each(["soon", "yesterdayish", "3 bananas ago", "-3d", "99999d", "day", "", "3", "week 3"])(
  "`%s` is none",
  (text) => {
    expect(told(text)).toBeUndefined();
  },
);

it("is told by the clocks of a zone, over a change of the clocks too", () => {
  expect(told("today", "Pacific/Auckland")).toBe("2026-11-27T11:00Z 2026-11-28T10:59:59.999Z");
  expect(told("yesterday", "America/Los_Angeles")).toBe("2026-11-26T08:00Z 2026-11-27T07:59:59.999Z");
  const autumn = spokenTime("today", new Date("2026-10-25T12:00:00Z"), "Europe/Berlin");
  expect(autumn).toEqual({ start: new Date("2026-10-24T22:00:00Z"), end: new Date("2026-10-25T22:59:59.999Z") });
});

it("of a time that is skipped takes the moment after, of one that comes twice the first", () => {
  const at = (month: number, day: number) =>
    momentOf({ year: 2026, month, day, hour: 2, minute: 30 }, "Europe/Berlin").toISOString();
  expect([at(3, 29), at(10, 25)]).toEqual(["2026-03-29T01:30:00.000Z", "2026-10-25T00:30:00.000Z"]);
});

it("knows zones by their names alone", () => {
  expect(readTimeZone("Asia/Tokyo")).toBe("Asia/Tokyo");
  for (const name of ["Mars/Olympus", "+02:00", "", "a".repeat(100), "Europe/Berlin; x"])
    expect(readTimeZone(name)).toBeUndefined();
});
