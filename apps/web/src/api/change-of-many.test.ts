import { expect, it } from "vitest";
import { ApiError } from "./api-error.ts";
import { changeOfMany } from "./change-of-many.ts";

const tell = (made: number, left: number) => `${made} made, ${left} left`;
const refuse = async () => {
  throw new Error("it was changed meanwhile");
};

it("makes many changes one after the other, leaves out what is refused, and takes back what it made, the last one first", async () => {
  const log: string[] = [];
  const change = (name: string) => ({
    run: async () => log.push(`+${name}`),
    message: name,
    undo: async () => log.push(`-${name}`),
  });
  const refused = { run: refuse, message: "never", undo: async () => log.push("-refused") };
  const { run, message, undo } = changeOfMany([change("a"), refused, change("b")], tell);
  const done = await run();

  expect(typeof message === "string" ? message : message(done)).toBe("2 made, 1 left");
  await undo?.(done);
  expect(log).toEqual(["+a", "+b", "-b", "-a"]);
});

it("fails with the refusal where nothing could be made, and offers no undo where one cannot be taken back", async () => {
  const final = { run: async () => 1, message: "done" };
  await expect(changeOfMany([{ ...final, run: refuse }], tell).run()).rejects.toThrow("changed meanwhile");
  expect(changeOfMany([final, { ...final, undo: async () => 1 }], tell).undo).toBeUndefined();
});

it("changes ten thousand, and waits where that is more than a member may change in a minute", async () => {
  const done: number[] = [];
  const waits = new Set([3000, 6000, 9000]);
  const changes = Array.from({ length: 10_000 }, (_, nth) => ({
    run: async () => {
      if (waits.delete(nth))
        throw new ApiError("RATE_LIMITED", "more than 3000 writes in a minute", "", { retry_after_ms: 1 });
      return done.push(nth);
    },
    message: "",
    undo: async () => done.pop(),
  }));
  const { run, message, undo } = changeOfMany(changes, tell);
  const made = await run();

  expect(typeof message === "string" ? message : message(made)).toBe("10000 made, 0 left");
  expect([done.length, waits.size]).toEqual([10_000, 0]);
  await undo?.(made);
  expect(done).toEqual([]);
});

it("leaves what another member has changed since, tells so, and takes back the others", async () => {
  const back: string[] = [];
  const change = (name: string, undo = async () => back.push(name)) => ({ run: async () => 1, message: name, undo });
  const { run, undo } = changeOfMany([change("a"), change("b", refuse), change("c")], tell);
  const made = await run();

  await expect(undo?.(made)).rejects.toThrow("changed meanwhile");
  expect(back).toEqual(["c", "a"]);
});
