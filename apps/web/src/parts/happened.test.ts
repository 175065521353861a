import { describe, expect, it } from "vitest";
import { gather, isTold } from "./happened.ts";

const event = (seq: number, minute: number, over: object = {}) => ({
  ...{ seq: `event ${seq}`, op: "chest_remember", member: "ben", memory_ids: [seq] },
  at: new Date(2026, 5, 3, 9, minute).toISOString(),
  ...over,
});

describe("events told in sentences", () => {
  it("are one sentence for one member who does the same again within half an hour", () => {
    const told = gather([event(5, 50), event(4, 40), event(3, 39, { member: "aiko" }), event(2, 30), event(1, 29)]);

    expect(told.map(({ member, ids }) => [member, ids])).toEqual([
      ["ben", [5, 4]],
      ["aiko", [3]],
      ["ben", [2, 1]],
    ]);
  });

  it("name a memory once, and begin anew on another day", () => {
    const yesterday = event(1, 0, { at: new Date(2026, 5, 2, 23, 59).toISOString() });
    expect(gather([event(3, 1, { memory_ids: [7, 7] }), event(2, 0, { memory_ids: [7] }), yesterday])).toMatchObject([
      { seq: "event 3", ids: [7] },
      { seq: "event 1", ids: [1] },
    ]);
  });
});

it("tells nothing of what Chest works out by itself", () => {
  expect(["chest_remember", "write"].map((op) => isTold({ op }))).toEqual([true, false]);
});
