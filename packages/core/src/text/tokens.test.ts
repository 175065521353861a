import { expect, it } from "vitest";
import { estimateTokens } from "./tokens.ts";

it.each([
  ["", 0],
  ["a", 1],
  ["abcdefghij", 3],
  ["データベース接続", 6],
  ["배포 실패", 4],
  ["deploy 部署", 4],
])("counts %j as %i", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
