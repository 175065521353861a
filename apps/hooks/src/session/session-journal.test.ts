import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openJournal } from "./session-journal.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-journal-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

it("remembers of each session what was shown, said, done and taken", () => {
  const journal = openJournal(dir, "one:1");
  journal.note({ shown: [1, 2] });
  journal.note({ shown: [2, 3] });
  journal.note({ file: "src/a.ts" });
  journal.note({ language: "ja" });
  journal.note({ deed: 1, at: 5, project: "host/a" });
  journal.note({ deed: 1, at: 6, project: "host/b" });
  expect(journal.read()).toEqual({
    shown: new Set([1, 2, 3]),
    files: new Set(["src/a.ts"]),
    language: "ja",
    blocks: 2,
    ownLanguage: "ja",
    cursor: { line: 0, offset: 0 },
    isPending: false,
    isAsked: false,
    folder: undefined,
    deeds: 2,
    since: 5,
    project: "host/a",
  });

  journal.note({ taken: { line: 4, offset: 400 } });
  expect(journal.read()).toMatchObject({
    cursor: { line: 4, offset: 400 },
    deeds: 0,
    since: undefined,
    project: undefined,
  });
  expect(openJournal(dir, "two").read().shown.size).toBe(0);
});

it("forgets what was shown when the agent's context is over, and not what was taken", () => {
  const journal = openJournal(dir, "one");
  journal.note({ shown: [1] });
  journal.note({ taken: { line: 4, offset: 400 } });
  journal.note({ context: "over" });
  expect(journal.read()).toMatchObject({ shown: new Set(), blocks: 0, cursor: { line: 4 } });
});

it("knows by agent what is in its context, and by session what was done", () => {
  const [own, sub] = [openJournal(dir, "one"), openJournal(dir, "one", "agent-7")];
  own.note({ shown: [1] });
  sub.note({ shown: [2] });
  sub.note({ file: "src/a.ts" });
  sub.note({ deed: 1, at: 5 });
  expect(own.read()).toMatchObject({ shown: new Set([1]), files: new Set(), blocks: 1, deeds: 1 });
  expect(sub.read()).toMatchObject({ shown: new Set([2]), files: new Set(["src/a.ts"]), deeds: 1 });
  sub.note({ context: "over" });
  expect(own.read().shown).toEqual(new Set([1]));
  own.note({ context: "over" });
  sub.note({ shown: [3] });
  expect(own.read().shown).toEqual(new Set());
  expect(sub.read().shown).toEqual(new Set([3]));
});

it("begins a session in the language of the last prompt in any", () => {
  openJournal(dir, "one").note({ language: "ko" });
  expect(openJournal(dir, "two").read()).toMatchObject({ language: "ko", ownLanguage: undefined });
});

it("passes over a line that is torn", () => {
  const journal = openJournal(dir, "one");
  journal.note({ shown: [1] });
  const [name = ""] = readdirSync(join(dir, "hooks"));
  appendFileSync(join(dir, "hooks", name), '{"shown":[2\n[]\n{"taken":{"line":"x"}}\n');
  journal.note({ shown: [3] });
  expect([...journal.read().shown]).toEqual([1, 3]);
});
