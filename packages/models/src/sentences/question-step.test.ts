import { describe, expect, it } from "vitest";
import { readQuestionStep, towardsAnswer, writeQuestionStep } from "./question-step.ts";

const rows = (...all: number[][]) => all.map((row) => Float32Array.from(row));
const length = (vector: Float32Array) => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));

/** A vector with a part of the first direction goes along the third. */
const STEP = { from: rows([1, 0, 0, 0], [0, 0, 0, 1]), to: rows([0, 0, 1, 0], [0, 0, 0, 0]) };

describe("the step of questions", () => {
  it("takes a question along the direction that its part of another one names, and leaves it 1 long", () => {
    const moved = towardsAnswer(Float32Array.from([0.6, 0.8, 0, 0]), STEP);
    expect(length(moved)).toBeCloseTo(1, 6);
    expect((moved[2] ?? 0) / (moved[0] ?? 0)).toBeCloseTo(1, 6);
    expect((moved[1] ?? 0) / (moved[0] ?? 0)).toBeCloseTo(0.8 / 0.6, 6);
    expect(moved[3]).toBe(0);
  });

  it.each([
    ["a question without a part of any direction", [0, 1, 0, 0]],
    ["an empty vector", [0, 0, 0, 0]],
  ])("leaves as it is: %s", (_, numbers) => {
    expect([...towardsAnswer(Float32Array.from(numbers), STEP)]).toEqual(numbers);
  });

  it("is the same after it was written and read, at a byte a number", () => {
    const step = { from: rows([0.5, -0.25, 0.125, 0]), to: rows([-1, 0.01, 0, 1]) };
    const read = readQuestionStep(writeQuestionStep(step), 4);
    for (const part of ["from", "to"] as const)
      for (const [at, x] of [...(step[part][0] ?? [])].entries()) expect(read[part][0]?.[at]).toBeCloseTo(x, 2);
    expect(read.to[0]?.[0]).toBeCloseTo(-1, 6);
  });

  it.each([
    ["half a row", writeQuestionStep(STEP).slice(0, 20)],
    ["rows of another width", writeQuestionStep({ from: rows([1, 0]), to: rows([0, 1]) })],
  ])("is refused if it holds %s", (_, stored) => {
    expect(() => readQuestionStep(stored, 4)).toThrow("pairs of 4 numbers");
  });
});
