import { expect, it } from "vitest";
import { STOP_WORDS } from "./stop-words.ts";

it("covers four languages", () => {
  for (const word of ["the", "not", "は", "です", "的", "我们", "은", "입니다"]) expect(STOP_WORDS).toContain(word);
});

it("holds single lower-case words, and none that name a thing", () => {
  for (const word of STOP_WORDS) expect(word).toMatch(/^[^\s\p{Lu}]+$/u);
  for (const word of ["error", "deploy", "データ", "数据", "배포", "c", "12"]) expect(STOP_WORDS).not.toContain(word);
});
