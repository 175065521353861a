import { aCall, testExecutor } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { type Stage, throughStages } from "./executor.ts";
import { requestHash } from "./idempotency.ts";
import { TOOLS } from "./tools/index.ts";

describe("stages", () => {
  it("are passed in their order", async () => {
    const passed: string[] = [];
    const named =
      (name: string): Stage =>
      (request, next) => {
        passed.push(name);
        return next(request);
      };
    const executor = throughStages(TOOLS, async () => ({ ok: true }), named("outer"), named("inner"));
    await executor.execute("chest_recall", {}, aCall());
    expect(passed).toEqual(["outer", "inner"]);
  });
});

describe("an executor", () => {
  it("shortens a long unknown name", async () => {
    const error = await (await testExecutor()).executor
      .execute("x".repeat(5000), {}, aCall())
      .catch((reason: unknown) => reason);
    expect(String(error).length).toBeLessThan(200);
  });
});

describe("a request's hash", () => {
  const hash = (input: unknown, tool = "t", project = "p") => requestHash({ tool, input }, { project });

  it("is the same whatever the order of keys, and without what is undefined", () => {
    expect(hash({ a: 1, b: { c: [1, { d: 2, e: 3 }] } })).toBe(
      hash({ b: { c: [1, { e: 3, d: 2 }] }, a: 1, z: undefined }),
    );
  });

  it.each([
    ["another tool", { a: 1 }, "u"],
    ["another value", { a: 2 }, "t"],
    ["another type", { a: "1" }, "t"],
    ["another key", { b: 1 }, "t"],
    ["one more key", { a: 1, b: null }, "t"],
    ["a list", [{ a: 1 }], "t"],
  ])("is another for %s", (_, input, tool) => {
    expect(hash(input, tool)).not.toBe(hash({ a: 1 }));
  });

  it("is another for another project", () => {
    expect(hash({ a: 1 }, "t", "q")).not.toBe(hash({ a: 1 }));
  });

  it("is another for another order of a list", () => {
    expect(hash({ ids: [1, 2] })).not.toBe(hash({ ids: [2, 1] }));
  });

  it("holds nothing of what it was made of", () => {
    expect(hash({ content: "secret" })).toMatch(/^[0-9a-f]{64}$/);
  });
});
