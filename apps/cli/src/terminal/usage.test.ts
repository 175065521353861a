import { expect, it } from "vitest";
import { nearest } from "./usage.ts";

it.each([
  ["stauts", "status"],
  ["docter", "doctor"],
  ["--jsno", "--json"],
  ["xyzzy", undefined],
])("of %s is %s", (input, known) => {
  expect(nearest(input, ["status", "doctor", "outbox", "--json", "--quiet"])).toBe(known);
});
