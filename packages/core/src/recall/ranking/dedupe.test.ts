import { aMemory } from "@chest/testing";
import { expect, it } from "vitest";
import type { Candidate } from "../candidates.ts";
import { Stretches } from "../yield-turn.ts";
import { takeOnce } from "./dedupe.ts";

const candidates = (...contents: readonly string[]): Candidate[] =>
  contents.map((content, at) => ({ memory: aMemory({ id: at + 1, content, contentHash: content }) }) as Candidate);

it("names what says the same with the first, and keeps the rest in its order", async () => {
  const waiting = candidates("The port is 8080.", "Ask Ann first.", "the port is 8080", "Ben is away.");
  expect(await takeOnce(waiting)).toMatchObject({ memory: { id: 1 }, same: [3] });
  expect(waiting.map(({ memory }) => memory.id)).toEqual([2, 4]);
});

it("lets others go on between two comparisons that take long", async () => {
  let now = 0;
  // Each look at the clock is ten milliseconds later.
  const stretches = new Stretches(() => {
    now += 10;
    return now;
  });
  let turns = 0;
  let isOn = true;
  const count = () => {
    turns += 1;
    if (isOn) setImmediate(count);
  };
  setImmediate(count);
  await takeOnce(candidates(...Array.from({ length: 41 }, (_, nth) => `note ${nth} of the others`)), stretches);
  isOn = false;
  expect(turns).toBeGreaterThanOrEqual(40);
});
