import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/process.ts";

const limitsOf = (...options: string[]) =>
  execFileSync(process.execPath, [join(ROOT, "e2e/load/capacity/capacity.ts"), ...options], {
    encoding: "utf8",
    stdio: "pipe",
  });

it("names the next limit of a growing store, and the way past it", () => {
  const [first] = limitsOf("--daily", "20000", "--growth", "0", "--ram", "16").split("\n");
  expect(first).toBe(
    "month 1, 600,000 memories: a project of 5 % holds more than 20000 memories: its vectors are found by an index",
  );
  const lines = limitsOf("--now", "1e8", "--ram", "64", "--years", "0").split("\n");
  expect(lines).toContainEqual(
    expect.stringMatching(/^month 0, 100,000,000 memories: the index of vectors fills 60 %/),
  );
  expect(limitsOf("--dimensions", "0", "--years", "1")).not.toMatch(/month.*vectors/);
});

it("refuses input that is not a number", () => {
  expect(() => limitsOf("--ram", "much")).toThrow(/is no number from 0 on/);
});
