import { expect, it } from "vitest";
import { isAtLeast } from "./programs.ts";

it.each([
  ["20.11.0", false],
  ["20.16.0", true],
  ["20.9.0", false],
  ["18.20.4", false],
  ["22.2.0", true],
  ["24.0.0-nightly", true],
])("Node %s starts the client: %s", (version, isEnough) => {
  expect(isAtLeast(version, "20.16")).toBe(isEnough);
});
