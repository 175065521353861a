import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { contextMark, noteContextEnd } from "./context-ends.ts";

let dir: string;
let data: string;
let project: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-context-"));
  data = join(dir, "data");
  project = join(dir, "proj");
  mkdirSync(join(project, "src"), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true }));

const mark = (...folders: string[]) => contextMark(data, folders);

it("is another mark after each end in the folder, above it or below", () => {
  const marks = [mark(project)];
  for (const cwd of [project, project, join(project, "src"), dir]) {
    noteContextEnd(data, cwd);
    marks.push(mark(project));
  }
  expect(new Set(marks).size).toBe(5);
  expect(mark(project)).toBe(mark(project));
});

it("leaves the mark of other folders alone, also of one whose name begins alike", () => {
  noteContextEnd(data, project);
  expect(mark(join(dir, "proj-other"))).toBe("");
  expect(mark(join(dir, "elsewhere"), project)).not.toBe("");
});

it("counts an end in a folder below whose name begins with dots", () => {
  const dotted = join(project, "..drafts");
  mkdirSync(dotted);
  noteContextEnd(data, dotted);
  expect(mark(project)).not.toBe("");
});

it("knows a folder by where it really lies", () => {
  symlinkSync(project, join(dir, "link"));
  noteContextEnd(data, join(dir, "link"));
  expect(mark(project)).not.toBe("");
});

it("is kept where only its owner looks, and not for ever", () => {
  noteContextEnd(data, project);
  const folder = join(data, "contexts");
  const [name = ""] = readdirSync(folder);
  expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  const longAgo = new Date(Date.now() - 31 * 86_400_000);
  utimesSync(join(folder, name), longAgo, longAgo);
  noteContextEnd(data, dir);
  expect(readdirSync(folder)).not.toContain(name);
});

it("reads past what is not its own", () => {
  noteContextEnd(data, project);
  const known = mark(project);
  writeFileSync(join(data, "contexts", "f".repeat(32)), "");
  writeFileSync(join(data, "contexts", "notes.txt"), project);
  expect(mark(project)).toBe(known);
});
