import { expect, it } from "vitest";
import { readPick } from "./pick.ts";

const CHOICES = [
  { name: "claude-code", labels: ["claude-code", "Claude Code"] },
  { name: "cursor", labels: ["cursor", "Cursor"] },
  { name: "windsurf", labels: ["windsurf", "Windsurf (Devin Desktop)", "Windsurf"] },
  { name: "claude-desktop", labels: ["claude-desktop", "Claude Desktop"] },
  { name: "sessions", labels: ["past sessions", "sessions", "history"] },
];
const pick = (answer: string) => readPick(answer, CHOICES)?.map(({ name }) => name);
const EVERY = CHOICES.map(({ name }) => name);

it.each(["y", "Y", "yes", "all", "ALL ", "*", "ok"])("takes `%s` for everything", (answer) => {
  expect(pick(answer)).toEqual(EVERY);
});

it.each(["n", "no", "none", "q"])("takes `%s` for nothing", (answer) => {
  expect(pick(answer)).toEqual([]);
});

it.each([
  ["1", ["claude-code"]],
  ["2 3", ["cursor", "windsurf"]],
  [" 3,2, ", ["cursor", "windsurf"]],
  ["1-3", ["claude-code", "cursor", "windsurf"]],
  ["Cursor", ["cursor"]],
  ["Claude Code", ["claude-code"]],
  ["claude code, cursor", ["claude-code", "cursor"]],
  ["cursor claude-code", ["claude-code", "cursor"]],
  ["cursor and 1", ["claude-code", "cursor"]],
  ["windsurf (devin desktop)", ["windsurf"]],
  ["curs", ["cursor"]],
  ["[cursor, past sessions]", ["cursor", "sessions"]],
])("takes `%s` for %j", (answer, names) => {
  expect(pick(answer)).toEqual(names);
});

it.each(["", "  ", ",", "0", "6", "3-1", "1x", "claude", "emacs", "cursor, emacs", "cursor!", "y1"])(
  "does not guess at `%s`",
  (answer) => {
    expect(pick(answer)).toBe(undefined);
  },
);
