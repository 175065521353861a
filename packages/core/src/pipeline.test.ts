import { ChestError } from "@chest/contracts";
import { aCall, aCaller, testEngine, testPorts } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { listMemories } from "./listing/list-memories.ts";
import { type AnsweredCall, openPipeline } from "./pipeline.ts";
import { TOOLS } from "./tools/index.ts";

const FACT = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "herons sleep" };

async function opened() {
  const ports = testPorts();
  const told: AnsweredCall[] = [];
  const refused: string[] = [];
  const pipeline = openPipeline(TOOLS, await testEngine({ clock: ports.clock }), ports, {
    after: [(done) => void told.push(done)],
    audit: { refused: ({ op, outcome }) => void refused.push(`${op} ${outcome}`) },
  });
  return { pipeline, told, refused };
}

describe("the pipeline", () => {
  it("refuses for want of a right before it says what is wrong with the arguments, and notes it", async () => {
    const { pipeline, refused } = await opened();
    const reader = aCall({ caller: aCaller({ scopes: new Set(["read"]) }) });
    const writer = aCall({ caller: aCaller({ scopes: new Set(["write"]) }) });
    const forbidden = { code: "FORBIDDEN" };
    await expect(pipeline.execute("chest_remember", {}, reader)).rejects.toMatchObject(forbidden);
    await expect(pipeline.answer(listMemories, { query: { limit: "0" } }, writer)).rejects.toMatchObject(forbidden);
    expect(refused).toEqual(["chest_remember FORBIDDEN", "GET /api/memories FORBIDDEN"]);
  });

  it("counts a write against its budget before it writes, and no question", async () => {
    const { pipeline, told } = await opened();
    const spend = () => Promise.reject(new ChestError("RATE_LIMITED", "enough", { hint: "wait" }));
    await expect(pipeline.execute("chest_remember", FACT, aCall({ spend }))).rejects.toMatchObject({
      code: "RATE_LIMITED",
    });
    await expect(pipeline.execute("chest_recall", { query: "herons" }, aCall({ spend }))).resolves.toMatchObject({
      total_candidates: 0,
    });
    expect(told.map(({ tool, isWrite }) => [tool, isWrite])).toEqual([["chest_recall", false]]);
  });

  it("tells of answered calls with arguments as they were read, and hands the text to a client that embeds", async () => {
    const { pipeline, told } = await opened();
    const plain = await pipeline.execute("chest_remember", { ...FACT, tags: "a, b" }, aCall());
    expect(plain.embedding).toEqual({ status: "pending" });
    const other = { ...FACT, content: "otters swim" };
    const handed = await pipeline.execute("chest_remember", other, aCall({ takesText: async () => true }));
    expect(handed.embedding).toMatchObject({ status: "pending", text_for_embedding: "otters swim" });
    expect(told.map(({ input }) => input.tags)).toEqual([["a", "b"], undefined]);
  });
});
