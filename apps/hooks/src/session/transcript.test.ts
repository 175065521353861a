import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linesFrom, realTranscript } from "./transcript.ts";

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-transcript-"));
  file = join(dir, "a.jsonl");
});
afterEach(() => rmSync(dir, { recursive: true }));

const START = { line: 0, offset: 0 };

describe("a transcript", () => {
  it("is read on from where it was read to, whatever its lines are made of", () => {
    const long = "鷺".repeat(200_000);
    writeFileSync(file, `one\n\n${long}\nhalf`);
    const lines = [...linesFrom(file, START)];
    expect(lines.map(({ text }) => text)).toEqual(["one", "", long]);

    appendFileSync(file, " done\nnew\n");
    const after = [...linesFrom(file, lines.at(-1)?.next ?? START)];
    expect(after.map(({ text, next }) => [text, next.line])).toEqual([
      ["half done", 4],
      ["new", 5],
    ]);
    expect([...linesFrom(file, after.at(-1)?.next ?? START)]).toEqual([]);
  });

  it("is read anew when it has shrunk", () => {
    writeFileSync(file, "one\n");
    expect([...linesFrom(file, { line: 7, offset: 700 })].map(({ next }) => next)).toEqual([{ line: 1, offset: 4 }]);
  });

  it("is none unless it really lies among the agent's", () => {
    const folder = join(dir, "projects");
    const beside = join(dir, "projects-of-others");
    for (const each of [folder, beside]) mkdirSync(each);
    const [own, other] = [join(folder, "own.jsonl"), join(beside, "other.jsonl")];
    for (const each of [own, other]) writeFileSync(each, "");
    symlinkSync(other, join(folder, "linked.jsonl"));

    expect(realTranscript(own, folder)).toMatch(/own\.jsonl$/);
    for (const each of [other, join(folder, "linked.jsonl"), join(folder, "none.jsonl"), folder]) {
      expect(realTranscript(each, folder)).toBe(undefined);
    }
  });
});
