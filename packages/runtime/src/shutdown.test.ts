import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { closeInOrder } from "./shutdown.ts";

const silent = () => ({ info: vi.fn(), error: vi.fn() });

it("closes one after the other, in order", async () => {
  const order: string[] = [];
  const step = (name: string, ms: number) => ({
    name,
    limitMs: 1000,
    close: async () => {
      await sleep(ms);
      order.push(name);
    },
  });

  expect(await closeInOrder([step("http", 20), step("engine", 0)], silent())).toBe(true);
  expect(order).toEqual(["http", "engine"]);
});

it("forces what takes too long and goes on", async () => {
  const force = vi.fn();
  const close = vi.fn(async () => {});
  const stuck = { name: "http", limitMs: 20, close: () => new Promise<void>(() => {}), force };

  expect(await closeInOrder([stuck, { name: "engine", limitMs: 1000, close }], silent())).toBe(true);
  expect(force).toHaveBeenCalledOnce();
  expect(close).toHaveBeenCalledOnce();
});

it("fails when what takes too long cannot be forced", async () => {
  const stuck = { name: "engine", limitMs: 20, close: () => new Promise<void>(() => {}) };

  expect(await closeInOrder([stuck], silent())).toBe(false);
});

it("closes the rest when one fails, and says so", async () => {
  const log = silent();
  const close = vi.fn(async () => {});
  const broken = { name: "http", limitMs: 1000, close: () => Promise.reject(new Error("no")) };

  expect(await closeInOrder([broken, { name: "engine", limitMs: 1000, close }], log)).toBe(false);
  expect(close).toHaveBeenCalledOnce();
  expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ step: "http" }), "closing failed");
});
