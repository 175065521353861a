import { describe, expect, it } from "vitest";
import { type CallerPlace, type Reach, spaceOf, spacesFor } from "./space.ts";

const ALICE = { id: 7, name: "alice" };

describe("the space of a memory", () => {
  it.each([
    ["team", 12, "team"],
    ["team", undefined, "team"],
    ["project", 12, "p12"],
    ["project", undefined, "team"],
    ["private", 12, "m7p12"],
    ["private", undefined, "m7"],
  ] as const)("%s in project %s is %s", (visibility, projectId, space) => {
    expect(spaceOf(visibility, ALICE, projectId)).toBe(space);
  });
});

describe("the spaces of a caller", () => {
  const open = { member: ALICE, openProjectIds: [12, 13], closedProjectIds: [] };
  const inProject: CallerPlace = { ...open, projectId: 12, hasProject: true };
  const inNewProject: CallerPlace = { ...open, projectId: undefined, hasProject: true };
  const inClosedProject: CallerPlace = { ...open, projectId: 99, hasProject: true };
  const unstated: CallerPlace = { ...open, projectId: undefined, hasProject: false };
  const everything = ["team", "m7", "p12", "m7p12", "p13", "m7p13"];

  it.each([
    ["in a project, here", inProject, "here", ["team", "m7", "p12", "m7p12"]],
    ["in a project, everywhere", inProject, "everywhere", everything],
    ["in a project that holds nothing yet", inNewProject, "here", ["team", "m7"]],
    ["in a project that is closed to it", inClosedProject, "here", ["team", "m7"]],
    ["in a project, elsewhere", inProject, "elsewhere", ["p13", "m7p13"]],
    ["elsewhere, beside a closed one", { ...inProject, closedProjectIds: [13] }, "elsewhere", []],
    ["that names no project, here", unstated, "here", everything],
    ["that names no project, everywhere", unstated, "everywhere", everything],
  ] as const)("%s", (_, standing, reach, spaces) => {
    expect(spacesFor(standing, reach)).toEqual(spaces);
  });

  it("in a project named by its key are that project's alone, and none when it is closed or unknown", () => {
    const reach: Reach = { projectKey: "some/key" };
    expect(spacesFor(inProject, reach, 13)).toEqual(["p13", "m7p13"]);
    expect(spacesFor(inProject, reach, 99)).toEqual([]);
    expect(spacesFor(inProject, reach, undefined)).toEqual([]);
  });

  it("never hold what is another member's own", () => {
    const own = (space: string) => space.startsWith("m") && !/^m7(p|$)/.test(space);
    for (const standing of [inProject, inNewProject, unstated]) {
      expect([...spacesFor(standing, "here"), ...spacesFor(standing, "everywhere")].filter(own)).toEqual([]);
    }
  });
});
