import { expect, it } from "vitest";
import { Stretches, turn } from "./yield-turn.ts";

it("lets those who wait go on in their order, and others in between", async () => {
  const order: (number | string)[] = [];
  const all = [0, 1, 2, 3, 4].map((at) => turn().then(() => order.push(at)));
  const other = new Promise<void>((resolve) => {
    setImmediate(() => {
      order.push("other");
      resolve();
    });
  });
  await Promise.all([...all, other]);
  expect(order).toEqual([0, 1, "other", 2, 3, 4]);
});

it("who comes while others go is not forgotten", async () => {
  const order: number[] = [];
  const again = async (at: number) => {
    for (let times = 0; times < 3; times++) {
      await turn();
      order.push(at);
    }
  };
  await Promise.all([again(1), again(2), again(3)]);
  expect(order).toHaveLength(9);
  expect(order.slice(0, 3)).toEqual([1, 2, 3]);
});

it("ends a stretch of work after ten milliseconds, and begins the next one after a turn", async () => {
  let now = 1000;
  const stretches = new Stretches(() => now);
  now += 9;
  expect(stretches.isOver).toBe(false);
  now += 1;
  expect(stretches.isOver).toBe(true);
  let hasOtherRun = false;
  setImmediate(() => {
    hasOtherRun = true;
  });
  await stretches.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect([hasOtherRun, stretches.isOver]).toEqual([true, false]);
});
