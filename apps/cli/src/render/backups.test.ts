import { expect, it } from "vitest";
import { summariseBackups } from "./backups.ts";

const NOW = new Date("2026-03-04T12:00:00Z");
const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);

it("shows the number of backups and the age of the newest, and that it is old", () => {
  expect(summariseBackups([], NOW)).toEqual({
    line: "backups: none",
    document: { last_at: null, count: 0 },
    isStale: false,
  });
  expect(summariseBackups([ago(47), ago(100)], NOW)).toMatchObject({
    document: { last_at: ago(47).toISOString(), count: 2 },
    isStale: false,
  });
  expect(summariseBackups([ago(49)], NOW)).toMatchObject({ isStale: true, line: expect.stringContaining("long ago") });
});
