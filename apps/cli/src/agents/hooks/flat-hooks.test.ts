import { expect, it } from "vitest";
import { editFlatHooks, hasFlatHooks } from "./flat-hooks.ts";

const PATH = "hooks.json";
const ours = (moment: string) => ({ command: `node /d/bin/chest-hook.mjs ${moment} cursor`, timeout: 5 });
const WANTED = [
  { event: "sessionStart", handler: ours("session-start") },
  { event: "stop", handler: ours("stop") },
];
const BASE = '{ "version": 1 }';
const edit = (text: string | undefined, wanted = WANTED) => editFlatHooks(text, wanted, PATH, BASE);

it("makes a file with the version that it needs, and gives an empty one back", () => {
  const { text, actions } = edit(undefined);
  expect(JSON.parse(text ?? "")).toEqual({
    version: 1,
    hooks: { sessionStart: [ours("session-start")], stop: [ours("stop")] },
  });
  expect(actions.map(({ outcome }) => outcome)).toEqual(["added", "added"]);
  expect(edit(text)).toMatchObject({ text, actions: [{ outcome: "unchanged" }, { outcome: "unchanged" }] });
  expect(edit(text, []).text).toBe("{}\n");
});

it("leaves hooks of others, their order and comments", () => {
  const theirs = '{\n  "version": 1,\n  // mine\n  "hooks": {\n    "stop": [{ "command": "./lint.sh" }]\n  }\n}\n';
  const { text = "" } = edit(theirs);
  expect(text).toContain("// mine");
  expect(JSON.parse(text.replace("// mine", "")).hooks.stop).toEqual([{ command: "./lint.sh" }, ours("stop")]);
  expect(hasFlatHooks(text, PATH)).toBe(true);
  const { text: back = "", actions } = edit(text, []);
  expect(actions.map(({ outcome }) => outcome)).toEqual(["removed", "removed"]);
  expect(JSON.parse(back.replace("// mine", ""))).toEqual({ version: 1, hooks: { stop: [{ command: "./lint.sh" }] } });
  expect(hasFlatHooks(back, PATH)).toBe(false);
});

it("renews one of its own, and removes what is double", () => {
  const old = { command: "node /old/bin/chest-hook.mjs stop cursor", timeout: 5 };
  const { text, actions } = edit(JSON.stringify({ version: 1, hooks: { stop: [old, old] } }));
  expect(JSON.parse(text ?? "").hooks.stop).toEqual([ours("stop")]);
  expect(actions).toContainEqual({ event: "stop", outcome: "updated" });
});

it.each(['{ "hooks": [] }', '{ "hooks": { "stop": {} } }', '{ "hooks": '])("leaves a damaged file: %s", (text) => {
  expect(() => edit(text)).toThrow(/damaged/);
});
