import { expect, it } from "vitest";
import type { Connection } from "../connection.ts";
import { Postings } from "./postings.ts";

it("does not keep every word that nobody has ever written", () => {
  let reads = 0;
  const nowhere = {
    snapshot: <T>(work: () => T) => work(),
    get: () => undefined, // No index whose pages could be read.
    ids: () => {
      reads += 1;
      return [];
    },
  } as unknown as Connection;
  const postings = new Postings(nowhere);
  const ask = (nth: number) => postings.of(`unheard-${nth}`, false, 0);
  ask(0);
  ask(0);
  expect(reads).toBe(1);
  for (let nth = 1; nth <= 300_000; nth += 1) ask(nth);
  ask(300_000);
  expect(reads).toBe(300_001);
  ask(0);
  expect(reads).toBe(300_002);
});
