import { describe, expect, it } from "vitest";
import { changesBetween, type Edits, versionChanges, withVersion } from "./edits.ts";

const EDITS: Edits = {
  content: "The port is 8080.",
  title: "Port",
  layer: "learning",
  category: "decision",
  certainty: "likely",
  importance: 0.5,
  tags: ["net", "dev"],
};

describe("edits of a memory", () => {
  it("send only what changed, and tags as those added and removed", () => {
    expect(changesBetween(EDITS, EDITS)).toEqual({});
    expect(changesBetween(EDITS, { ...EDITS, importance: 0.9, title: "Ports", tags: ["net", "ops"] })).toEqual({
      ...{ importance: 0.9, title: "Ports" },
      ...{ add_tags: ["ops"], remove_tags: ["dev"] },
    });
  });

  it("take a title away, by hand and with the version that had none", () => {
    expect(changesBetween(EDITS, { ...EDITS, title: "" })).toEqual({ title: "" });
    const old = { version: 1, content: EDITS.content, title: null, tags: EDITS.tags.slice() };
    expect(changesBetween(EDITS, withVersion(EDITS, old))).toEqual({ title: "" });
  });

  it("bring an earlier version back with all of its fields, and leave those that it was kept without", () => {
    const old = { version: 1, content: EDITS.content, importance: 0.2, tags: ["net"], category: null };

    expect(changesBetween(EDITS, withVersion(EDITS, old))).toEqual({ importance: 0.2, remove_tags: ["dev"] });
  });

  it("show every field that a version changed, and none that one of the two was kept without", () => {
    const before = { version: 1, content: "a", layer: "context", importance: 0.5, tags: ["x"], title: null };
    const after = { ...before, version: 2, importance: 0.9, tags: ["x", "y"], title: "T", visibility: "team" };

    expect(versionChanges(before, after)).toEqual({
      isReworded: false,
      fields: [
        { field: "title", before: undefined, after: "T" },
        { field: "importance", before: 0.5, after: 0.9 },
      ],
      tagsAdded: ["y"],
      tagsRemoved: [],
    });
  });
});
