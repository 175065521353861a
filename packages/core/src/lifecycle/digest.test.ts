import { expect, it } from "vitest";
import { digestsOf } from "./digest.ts";

const NOW = new Date("2027-02-01T00:00:00Z");
const LIMITS = { maxChars: 8000, cap: 200 };
let ids = 0;
const note = (at: string, place = "here") => {
  ids += 1;
  return { id: ids, createdAt: new Date(at), title: `note ${ids}`, content: "…", tags: [], place };
};
const titles = (notes: readonly ReturnType<typeof note>[], limits = LIMITS) =>
  digestsOf(notes, NOW, limits).digests.map(({ title }) => title);

it("names weeks as ISO 8601 does, from Monday to Sunday, around the turn of a year", () => {
  const week = [note("2026-12-28T00:00:00Z"), note("2026-12-31T12:00:00Z"), note("2027-01-03T23:59:59Z")];
  const next = [note("2027-01-04T00:00:00Z"), note("2027-01-05T00:00:00Z"), note("2027-01-06T00:00:00Z")];
  expect(titles([...next, ...week])).toEqual([
    "3 notes from sessions of week 2026-W53",
    "3 notes from sessions of week 2027-W01",
  ]);
});

it("waits until a week has been over for three", () => {
  const week = ["2027-01-11", "2027-01-12", "2027-01-13"].map((day) => note(`${day}T00:00:00Z`));
  expect(digestsOf(week, new Date("2027-02-06T23:59:59Z"), LIMITS).digests).toEqual([]);
  expect(digestsOf(week, new Date("2027-02-08T00:00:00Z"), LIMITS).digests).toHaveLength(1);
});

it("makes two of a list that is too long for one, and stops at the cap", () => {
  const week = Array.from({ length: 7 }, () => note("2026-12-02T00:00:00Z"));
  expect(titles(week, { maxChars: 80, cap: 200 })).toEqual([
    "4 notes from sessions of week 2026-W49",
    "3 notes from sessions of week 2026-W49",
  ]);
  expect(digestsOf(week, NOW, { maxChars: 80, cap: 5 })).toMatchObject({ digests: [{}], hasMore: true });
  expect(digestsOf(week, NOW, { maxChars: 80, cap: 1 })).toMatchObject({ digests: [{}], hasMore: true });
});

it("keeps what others may read apart", () => {
  const week = ["a", "a", "b", "b", "b"].map((place) => note("2026-12-02T00:00:00Z", place));
  expect(digestsOf(week, NOW, LIMITS).digests.map(({ members }) => members.map(({ place }) => place))).toEqual([
    ["b", "b", "b"],
  ]);
});
