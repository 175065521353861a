import { expect, it } from "vitest";
import { readMcpMemory } from "./mcp-memory.ts";
import type { ArchiveRecord, SkippedRecord } from "./record.ts";

const NOW = new Date("2026-11-21T00:00:00Z");

async function read(...lines: readonly (object | string)[]): Promise<(ArchiveRecord | SkippedRecord)[]> {
  async function* texts() {
    for (const line of lines) yield typeof line === "string" ? line : JSON.stringify(line);
  }
  return all(readMcpMemory(texts(), NOW));
}
const ada = { type: "entity", name: "Ada", entityType: "Person", observations: ["speaks French", "likes #tea"] };

it("makes a memory of each observation, of an entity of the kind that its type means", async () => {
  expect(await read(ada)).toMatchObject([
    { type: "entity", kind: "person", name: "Ada" },
    { type: "memory", id: 1, content: "speaks French", columns: { layer: "learning", importance: 0.5 }, tags: [] },
    { type: "memory", id: 2, content: "likes #tea", tags: ["tea"] },
  ]);
});

it("makes a sentence of a relation, about the one that it starts from", async () => {
  const [, , , entity, memory] = await read(ada, {
    type: "relation",
    from: "Acme",
    to: "Ada",
    relationType: "is_run_by",
  });
  expect(entity).toMatchObject({ type: "entity", kind: "other", name: "Acme" });
  expect(memory).toMatchObject({ content: "Acme is run by Ada" });
});

it("knows the same thing again by what it says, whenever and in whatever order it is read", async () => {
  const uids = (records: readonly (ArchiveRecord | SkippedRecord)[]) =>
    records.map((each) => "uid" in each && each.uid);
  const [entity, first, second] = uids(await read(ada));
  const reversed = { ...ada, observations: ada.observations.toReversed() };
  expect(uids(await read("", reversed))).toEqual([entity, second, first]);
});

it("names what it cannot bring by its line, and goes on", async () => {
  const records = await read("{broken", { type: "entity", name: "x" }, { ...ada, observations: ["  "] });
  expect(records).toMatchObject([
    { type: "left", ref: "line 1" },
    { type: "left", ref: "line 2" },
    { type: "entity", name: "Ada" },
    { type: "left", what: "observation", ref: "line 3" },
  ]);
});

async function all<T>(input: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of input) found.push(each);
  return found;
}
