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

it.each([
  "y",
  "Y ",
  "yes",
  "yes please",
  "all",
  "ALL ",
  "all of them",
  "All three!",
  "*",
  "ok",
  "ja",
  "alle",
  "はい",
  "すべて",
  "是",
  "全部",
  "네",
  "모두",
])("takes `%s` for everything", (answer) => {
  expect(pick(answer)).toEqual(EVERY);
});

it.each(["n", "no", "no thanks", "none of them", "q", "nein", "いいえ", "否", "아니요"])(
  "takes `%s` for nothing",
  (answer) => {
    expect(pick(answer)).toEqual([]);
  },
);

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
  ["cursor & windsurf", ["cursor", "windsurf"]],
  ["cursor und windsurf", ["cursor", "windsurf"]],
  ["cursor と windsurf", ["cursor", "windsurf"]],
  ["just cursor!", ["cursor"]],
  ["only 2, please", ["cursor"]],
  ["1、2", ["claude-code", "cursor"]],
  ["１，２", ["claude-code", "cursor"]],
  ["1.", ["claude-code"]],
  ["windsurf (devin desktop)", ["windsurf"]],
  ["curs", ["cursor"]],
  ["[cursor, past sessions]", ["cursor", "sessions"]],
])("takes `%s` for %j", (answer, names) => {
  expect(pick(answer)).toEqual(names);
});

it.each([
  "",
  "  ",
  ",",
  "0",
  "6",
  "3-1",
  "1x",
  "claude",
  "emacs",
  "cursor, emacs",
  "y1",
  "all but cursor",
  "all cursor",
])("does not guess at `%s`", (answer) => {
  expect(pick(answer)).toBe(undefined);
});
