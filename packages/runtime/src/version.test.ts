import { expect, it } from "vitest";
import { RELEASE } from "./version.ts";

it("is a version", () => {
  expect(RELEASE).toMatch(/^\d+\.\d+\.\d+/);
});
