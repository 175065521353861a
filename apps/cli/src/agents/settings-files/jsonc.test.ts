import { describe, expect, it } from "vitest";
import { readJsonc, setInJsonc } from "./jsonc.ts";

describe("taking a value out", () => {
  it.each([
    ['{"a":[1,2,3]}', ["a", 2], '{"a":[1,2]}'],
    ['{"a":[1,2,3]}', ["a", 0], '{"a":[2,3]}'],
    ['{"a":[ 1 , 2 ]}', ["a", 0], '{"a":[ 2 ]}'],
    ['{"a":[\n 1\n]}', ["a", 0], '{"a":[]}'],
    ['{"a":1, "b":2}', ["b"], '{"a":1}'],
    ['{"a":1, "b":2}', ["a"], '{"b":2}'],
    ['{ "a":1 }', ["a"], "{}"],
    ['{"a":1, /* mine */ "b":2}', ["b"], '{"a":1, /* mine */ }'],
    ['{"a":1, // mine\n "b":2}', ["a"], '{// mine\n "b":2}'],
    ['{"a":1}', ["b"], '{"a":1}'],
  ])("%j without %j is %j", (text, path, expected) => {
    expect(setInJsonc(text, path, undefined)).toBe(expected);
    expect(() => readJsonc(expected, "f")).not.toThrow();
  });
});

describe("setting a value", () => {
  it.each([
    [undefined, ["a", "b"], 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ["", ["a"], 1, '{\n  "a": 1\n}\n'],
    ['{\n\t"x": 1\n}', ["a"], { b: 1 }, '{\n\t"x": 1,\n\t"a": {\n\t\t"b": 1\n\t}\n}'],
    ['{"a":[1]}', ["a", 1], 2, '{"a":[1,\n    2]}'],
    ['{"a":[1,]}', ["a", 1], 2, '{"a":[1,\n    2,]}'],
    ['{"a":  1,"b":2}', ["a"], [], '{"a":  [],"b":2}'],
    ['{\r\n  "x": 1\r\n}\r\n', ["a"], 1, '{\r\n  "x": 1,\r\n  "a": 1\r\n}\r\n'],
    ['\ufeff{\n  "x": 1\n}', ["a"], 1, '\ufeff{\n  "x": 1,\n  "a": 1\n}'],
  ])("%j at %j", (text, path, value, expected) => {
    expect(setInJsonc(text, path, value)).toBe(expected);
    expect(readJsonc(expected, "f")).toBeTypeOf("object");
  });

  it("is undone by taking it out again", () => {
    for (const text of ['{"a":1}', '{\n    "a": 1, // one\n    "b": [ 1,2 ]\n}\n', "{ }"]) {
      const set = setInJsonc(text, ["mcpServers", "chest-memory"], { command: "node", args: [] });
      const undone = setInJsonc(set, ["mcpServers"], undefined);
      expect(undone.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    }
  });
});

it("names the line that is damaged", () => {
  expect(() => readJsonc('{\n  "a": 1\n  "b": 2\n}', "/s.json")).toThrow(
    "`/s.json` is damaged and was not changed: line 3",
  );
});
