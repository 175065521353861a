import { randomText, seeded } from "@chest/testing";
import { expect, it } from "vitest";
import type { Part } from "../ports/files/outline.ts";
import { chunksOf, linesOf } from "./chunk.ts";

const some = (count: number, line: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`);
const part = (name: string, start: number, end: number, kind = "function"): Part => ({ kind, name, start, end });

/** Parts as no grammar would give them: overlapping, beyond the end, out of order. */
function wildParts(random: () => number, lines: number): Part[] | undefined {
  if (random() < 0.2) return undefined;
  return Array.from({ length: Math.floor(random() * 20) }, () => {
    const start = Math.floor(random() * (lines + 5)) - 2;
    const kind = random() < 0.5 ? "block" : "function";
    return { kind, name: random() < 0.5 ? "same" : undefined, start, end: start + Math.floor(random() * 40) - 3 };
  });
}

it("covers every line exactly once and names every chunk once, whatever the text and its parts", () => {
  const random = seeded(7);
  for (let round = 0; round < 500; round++) {
    const text = randomText(random, 600);
    const lines = linesOf(text);
    const chunks = chunksOf(lines, wildParts(random, lines.length));

    expect(lines.join("")).toBe(text);
    expect(chunks.map(({ startLine }) => startLine)).toEqual(chunks.map((_, at) => (chunks[at - 1]?.endLine ?? 0) + 1));
    expect(chunks.at(-1)?.endLine ?? 0).toBe(lines.length);
    for (const { startLine, endLine } of chunks) expect(endLine).toBeGreaterThanOrEqual(startLine);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
  }
});

it("puts what stands between two things with the one below, and the end with the one above", () => {
  const lines = some(30, (at) => `line ${at}`);
  const chunks = chunksOf(lines, [part("one", 3, 10), part("two", 15, 28)]);
  expect(chunks.map(({ id, startLine, endLine }) => [id, startLine, endLine])).toEqual([
    ["function:one", 1, 10],
    ["function:two", 11, 30],
  ]);
});

it("tells things of one name apart, also from a name that looks like that", () => {
  const lines = some(90, (at) => `line ${at}`);
  const names = ["run", "run#2", "run", "run"];
  const chunks = chunksOf(
    lines,
    names.map((name, at) => part(name, at * 20, at * 20 + 20)),
  );
  expect(chunks.map(({ id }) => id).slice(0, 4)).toEqual([
    "function:run",
    "function:run#2",
    "function:run#3",
    "function:run#4",
  ]);
});

it("keeps a secret out of an id", () => {
  const [chunk] = chunksOf(some(3, String), [part(`use password=${"hunter2-".repeat(3)} here`, 0, 3, "heading")]);
  expect(chunk?.id).not.toContain("hunter2");
});

it("moves no boundary far below an insertion, where no grammar helps", () => {
  const random = seeded(11);
  const lines = some(2000, () => `word ${Math.floor(random() * 1e6)}`);
  const before = chunksOf(lines, undefined);
  const after = chunksOf([...lines.slice(0, 100), "new\n", "also new\n", ...lines.slice(100)], undefined);
  const known = new Set(before.map(({ hash }) => hash));
  const changed = after.filter(({ hash }) => !known.has(hash));

  expect(before.length).toBeGreaterThan(10);
  expect(Math.max(...before.map(({ startLine, endLine }) => endLine - startLine + 1))).toBeLessThanOrEqual(200);
  expect(changed.length).toBeLessThanOrEqual(3);
});

it("cuts a file of any length into a number of chunks that a snapshot can hold", () => {
  const lines = some(300_000, (at) => String(at % 977));
  expect(chunksOf(lines, undefined).length).toBeLessThanOrEqual(5000);
  const many = lines.slice(0, 30_000).map((_, at) => part(`f${at}`, at, at + 1));
  expect(chunksOf(lines.slice(0, 30_000), many).length).toBeLessThanOrEqual(5000);
});
