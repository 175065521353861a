import { expect, it } from "vitest";
import { endingTokens } from "./ending-tokens.ts";

const NOW = Date.parse("2026-03-01T00:00:00Z");
const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
const token = (id: number, days: number | undefined, input = {}) => ({
  id,
  member: "ada",
  label: "laptop",
  scopes: ["read" as const, "write" as const],
  expires_at: days === undefined ? null : inDays(days),
  ...input,
});
const told = (...tokens: ReturnType<typeof token>[]) => endingTokens(tokens, "ada", NOW).map(({ id }) => id);

it("tells of the member's own tokens that end within fourteen days, or have ended within them", () => {
  expect(told(token(1, 13, { label: "a" }), token(2, 15, { label: "b" }), token(3, undefined, { label: "c" }))).toEqual(
    [1],
  );
  expect(told(token(1, -13, { label: "a" }), token(2, -15, { label: "b" }))).toEqual([1]);
  expect(told(token(1, 3, { member: "bob" }))).toEqual([]);
});

it("leaves out one that another of the same purpose and rights outlives", () => {
  expect(told(token(1, 3), token(2, 90, { scopes: ["write", "read"] }))).toEqual([]);
  expect(told(token(1, -3), token(2, undefined))).toEqual([]);
  expect(told(token(1, 3), token(2, 90, { label: "desk" }), token(3, 90, { scopes: ["read"] }))).toEqual([1]);
});
