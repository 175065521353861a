import { describe, expect, it } from "vitest";
import { expiryOf, LAYERS, readLayer } from "./layer.ts";
import { isProtected, stateOf } from "./memory.ts";

const WORDS = {
  goal: "goal goals why target targets intent",
  realize: "realize warning warnings pain rule rules pitfall pitfalls dont",
  learning: "learning learned decision decisions insight insights growth",
  implementation: "implementation impl success failure how tried attempts",
  context: "context background reason situation timing",
  emotion: "emotion tone feelings mood",
};

describe("a layer", () => {
  it.each(Object.entries(WORDS))("%s is meant by %s", (layer, words) => {
    for (const word of words.split(" ")) {
      expect([readLayer(word), readLayer(` ${word.toUpperCase()}\t`)]).toEqual([layer, layer]);
    }
  });

  it.each(["", "lesson", "goal,realize", "constructor", "__proto__", "toString"])("is not meant by %j", (word) => {
    expect(() => readLayer(word)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", details: { field: "layer", given: word, known: LAYERS } }),
    );
  });

  it.each([
    ["learning", 365],
    ["implementation", 90],
    ["context", 30],
    ["emotion", 14],
  ] as const)("%s lasts %s days", (layer, days) => {
    const from = new Date("2026-01-31T10:00:00Z");
    expect(expiryOf(layer, from)?.getTime()).toBe(from.getTime() + days * 86_400_000);
  });

  it("of goals and pitfalls lasts for ever, and protects", () => {
    for (const layer of ["goal", "realize"] as const) {
      expect(expiryOf(layer, new Date())).toBeUndefined();
      expect(isProtected({ layer, importance: 0 })).toBe(true);
    }
    expect(isProtected({ layer: "learning", importance: 0.9 })).toBe(true);
    expect(isProtected({ layer: "learning", importance: 0.899 })).toBe(false);
  });
});

describe("a state", () => {
  it("is live, archived, or superseded once there is a successor", () => {
    const archivedAt = new Date();
    expect(stateOf({ archivedAt: undefined, supersededById: undefined })).toBe("live");
    expect(stateOf({ archivedAt, supersededById: undefined })).toBe("archived");
    expect(stateOf({ archivedAt, supersededById: 5 })).toBe("superseded");
  });
});
