import { expect, it } from "vitest";
import { shortened } from "./shortened.ts";

it("cuts a label at the end of a word, in every language", () => {
  expect(shortened("The database", 12)).toBe("The database");
  expect(shortened("The migration of the database", 26)).toBe("The migration of the…");
  expect(shortened(`${"x".repeat(40)} end`, 20)).toBe(`${"x".repeat(20)}…`);
  expect(shortened("浜鷸の取り込みを直す作業", 8).length).toBeLessThanOrEqual(9);
});
