import { describe, expect, it } from "vitest";
import { BUILTIN_IDENTITY } from "../../embedding/known-models.ts";
import { answerConfidence, nearnessOf } from "./confidence.ts";
import { cosinesOf, UNKNOWN_COSINES } from "./cosines.ts";

const BUILTIN = cosinesOf(BUILTIN_IDENTITY);
const ROWS = [{ lexical: 0.4 }, { lexical: 0.2, semantic: 0.1 }];
const sure = (cosine: number, terms: number) => answerConfidence(ROWS, nearnessOf(cosine, BUILTIN, terms));

describe("how sure an answer is", () => {
  it("rises with the nearness in meaning of the best text, more so for a long question", () => {
    expect(sure(0.5, 6)).toBeGreaterThan(sure(0.2, 6));
    expect(sure(0.5, 12) - sure(0.2, 12)).toBeGreaterThan(sure(0.5, 2) - sure(0.2, 2));
  });

  it("stays between 0 and 1 for a text that is the question, and for one that has nothing of it", () => {
    expect(answerConfidence([{ lexical: 1, semantic: 1 }], nearnessOf(1, BUILTIN, 200))).toBeLessThanOrEqual(1);
    expect(answerConfidence([{ lexical: 0 }], nearnessOf(-1, BUILTIN, 200))).toBeGreaterThanOrEqual(0);
    expect(answerConfidence([], nearnessOf(0.9, BUILTIN, 5))).toBe(0);
  });

  it("goes by the rows alone where the cosines of the model were not measured", () => {
    expect(nearnessOf(0.9, UNKNOWN_COSINES, 5)).toBeUndefined();
  });
});
