import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ListedBackup } from "../ports/operations/backups.ts";
import { type Schedule, scheduleBackups } from "./backup-schedule.ts";

const HOUR_MS = 3_600_000;
const keep = { daily: 7, weekly: 4 };
let made: ListedBackup[];
let rotated: number;
let schedule: Schedule | undefined;
const log = { info: vi.fn(), error: vi.fn() };

const listed = (madeAt: Date, reason: string) => ({ madeAt, reason, file: "f", path: "p", bytes: 1 }) as ListedBackup;
const backups = {
  list: async () => made,
  rotate: async () => {
    rotated++;
    return [];
  },
  make: async (reason: string) => {
    made.unshift(listed(new Date(), reason));
    return { file: "f", bytes: 1, rows: { memories: 3 } } as never;
  },
};

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-06-01T00:00:00Z") });
  made = [];
  rotated = 0;
  log.error.mockClear();
});
afterEach(async () => {
  await schedule?.stop();
  vi.useRealTimers();
});

const pass = (hours: number) => vi.advanceTimersByTimeAsync(hours * HOUR_MS);

it("makes one soon after the first start, then one each interval, and rotates after each", async () => {
  schedule = scheduleBackups({ backups, everyHours: 24, keep, log });
  await pass(0.5);
  expect(made).toHaveLength(1);
  await pass(72);
  expect(made).toHaveLength(4);
  expect(rotated).toBe(4);
});

it("goes by the newest that is there, also after a restart; a copy before a migration does not count", async () => {
  made = [listed(new Date(Date.now() - 20 * HOUR_MS), "scheduled")];
  schedule = scheduleBackups({ backups, everyHours: 24, keep, log });
  await pass(3);
  expect(made).toHaveLength(1);
  await pass(2);
  expect(made).toHaveLength(2);
  await schedule.stop();

  made = [listed(new Date(), "before-0002_search")];
  schedule = scheduleBackups({ backups, everyHours: 24, keep, log });
  await pass(0.5);
  expect(made).toHaveLength(2);
});

it("makes none when it is off, and none after it was stopped", async () => {
  schedule = scheduleBackups({ backups, everyHours: 0, keep, log });
  await pass(100);
  await schedule.stop();
  schedule = scheduleBackups({ backups, everyHours: 1, keep, log });
  await schedule.stop();
  await pass(100);
  expect(made).toEqual([]);
});

it("says what went wrong, and tries again", async () => {
  let isFull = true;
  const make = async (reason: string) => {
    if (isFull) throw new Error("the disk is full");
    return backups.make(reason);
  };
  schedule = scheduleBackups({ backups: { ...backups, make }, everyHours: 24, keep, log });
  await pass(0.5);
  expect(log.error).toHaveBeenCalledOnce();
  isFull = false;
  await pass(1);
  expect(made).toHaveLength(1);
});
