import { expect, it } from "vitest";
import { archiveLines, checkArchive, readArchive } from "./ndjson.ts";
import { type ArchiveRecord, stableUid } from "./record.ts";

const ABOUT = { release: "1.2.3", store_uid: "s", exported_at: "2026-11-21T00:00:00Z", vectors: false };
const ENTITY: ArchiveRecord = {
  type: "entity",
  uid: "e1",
  kind: "project",
  name: "acme\u2028api",
  created_at: 1,
  updated_at: 2,
  aliases: [],
};
const LINK: ArchiveRecord = {
  type: "link",
  from: "m1",
  to: "m2",
  kind: "summarises",
  note: null,
  origin: "auto",
  created_at: 1,
};

async function written(records: readonly ArchiveRecord[] = [ENTITY]): Promise<string[]> {
  const text = (await all(archiveLines(ABOUT, records))).join("");
  return text.trimEnd().split("\n");
}
async function* lines(input: readonly string[]) {
  yield* input;
}

it("reads what it wrote", async () => {
  const whole = await written();
  await checkArchive(lines(whole));
  expect(await all(readArchive(lines(whole)))).toEqual([ENTITY]);
});

it.each([
  ["an empty file", (): string[] => [], /is empty/],
  ["another file", () => ['{"name":"x"}'], /first line/],
  ["one without its end", (whole: string[]) => whole.slice(0, -1), /cut short/],
  ["one that lacks a line", (whole: string[]) => whole.toSpliced(1, 1), /records/],
  [
    "one with another line",
    (whole: string[]) => whole.with(1, (whole[1] ?? "").replace("acme", "acne")),
    /ones that were written/,
  ],
  [
    "one of a newer version",
    (whole: string[]) => whole.with(0, (whole[0] ?? "").replace('"version":1', '"version":2')),
    /version 2/,
  ],
])("refuses %s before anything is read from it", async (_, change, message) => {
  await expect(checkArchive(lines(change(await written())))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringMatching(message),
    hint: expect.any(String),
  });
});

it("leaves out a record that it does not know or cannot read, by line", async () => {
  const [header = ""] = await written([]);
  const odd = [header, '{"type":"dream","uid":"d"}', JSON.stringify({ ...ENTITY, kind: "pet" })];
  expect(await all(readArchive(lines(odd)))).toMatchObject([
    { type: "left", what: "dream", ref: "line 2" },
    { type: "left", what: "entity", ref: "line 3", reason: expect.stringContaining("kind") },
  ]);
});

it.each([
  ["columns.created_at", { columns: { created_at: 9e15 } }],
  ["columns.known_at", { columns: { known_at: "yesterday" } }],
  ["columns.expires_at", { columns: { expires_at: -1 } }],
  ["accesses.0", { columns: {}, accesses: [9e15] }],
])("leaves out a memory of a time that is no date: %s", async (field, over) => {
  const [header = ""] = await written([]);
  const memory = { type: "memory", uid: "m1", id: 1, entity: "e1", visibility: "team", content: "a fact", ...over };
  expect(await all(readArchive(lines([header, JSON.stringify(memory)])))).toMatchObject([
    { type: "left", what: "memory", reason: expect.stringContaining(field) },
  ]);
});

it("makes the same id of the same thing, and another one of another", () => {
  expect(stableUid("a", 1)).toBe(stableUid("a", 1));
  expect(stableUid("a", 1)).not.toBe(stableUid("a", "1"));
  expect(stableUid("a", 1)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

async function all<T>(input: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of input) found.push(each);
  return found;
}

it.each([
  ["an entity", { ...ENTITY, kind: "pet" }, "kind"],
  ["an alias", { ...ENTITY, aliases: [{ kind: "pet", normalised_name: "a" }] }, "aliases.0.kind"],
  ["a link", { ...LINK, kind: "likes" }, "kind"],
])("refuses %s of an unknown kind with its line, before anything is read from it", async (_, record, field) => {
  const whole = await written([ENTITY, LINK, record as ArchiveRecord]);
  await expect(checkArchive(lines(whole))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: `line 4 of the archive: \`${field}\` is of no known kind`,
  });
});
