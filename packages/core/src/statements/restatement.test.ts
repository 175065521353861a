import { contradictingPairs, restatedPairs, type StatementPair } from "@chest/testing";
import { expect, it } from "vitest";
import { readSentences, restates } from "./restatement.ts";

const isRestated = (a: string, b: string): boolean => restates(readSentences(a), readSentences(b));
const areOne = ({ a, b }: Pick<StatementPair, "a" | "b">): boolean => isRestated(a, b) && isRestated(b, a);

it("sees one thing in another order, voice or form as the same, 13 of 15 at least", () => {
  const pairs = restatedPairs();
  expect(pairs).toHaveLength(15);
  expect(pairs.filter(areOne).length).toBeGreaterThanOrEqual(13);
});

it("takes no contradiction for a restatement", () => {
  expect(contradictingPairs().filter(areOne)).toEqual([]);
});

it.each([
  ["the client calls the server first", "the server calls the client first"],
  ["copy from the mirror to the archive", "copy to the mirror from the archive"],
  ["The parser is called by the lexer.", "The lexer is called by the parser."],
  ["クライアントがサーバーを呼ぶ。", "サーバーがクライアントを呼ぶ。"],
  ["客户端调用服务器。", "服务器调用客户端。"],
  ["클라이언트가 서버를 호출한다.", "서버가 클라이언트를 호출한다."],
])("%j is not %j: who does what differs", (a, b) => {
  expect(isRestated(a, b)).toBe(false);
});
