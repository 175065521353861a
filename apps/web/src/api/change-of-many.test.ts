import { expect, it } from "vitest";
import { changeOfMany } from "./change-of-many.ts";

const tell = (made: number, left: number) => `${made} made, ${left} left`;
const refuse = async () => {
  throw new Error("it was changed meanwhile");
};

it("makes many changes one after the other, leaves out what is refused, and takes back what it made, the last one first", async () => {
  const log: string[] = [];
  const change = (name: string) => ({
    run: async () => log.push(`+${name}`),
    told: name,
    undo: async () => log.push(`-${name}`),
  });
  const refused = { run: refuse, told: "never", undo: async () => log.push("-refused") };
  const { run, told, undo } = changeOfMany([change("a"), refused, change("b")], tell);
  const done = await run();

  expect(typeof told === "string" ? told : told(done)).toBe("2 made, 1 left");
  await undo?.(done);
  expect(log).toEqual(["+a", "+b", "-b", "-a"]);
});

it("fails with the refusal where nothing could be made, and offers no undo where one cannot be taken back", async () => {
  const final = { run: async () => 1, told: "done" };
  await expect(changeOfMany([{ ...final, run: refuse }], tell).run()).rejects.toThrow("changed meanwhile");
  expect(changeOfMany([final, { ...final, undo: async () => 1 }], tell).undo).toBeUndefined();
});
