import { describe, expect, it } from "vitest";
import { MAX_PROJECT_KEY, projectKeyOfRemote } from "./project.ts";

describe("a project's key", () => {
  it.each([
    ["git@Host.Example:Org/repo.git", "host.example/Org/repo"],
    ["https://host.example/Org/repo.git", "host.example/Org/repo"],
    ["https://host.example/Org/repo/", "host.example/Org/repo"],
    ["https://user@Host.example/Org/repo", "host.example/Org/repo"],
    ["https://user:secret@host.example/Org/repo.git", "host.example/Org/repo"],
    ["https://user:p@ss@host.example/Org/repo.git", "host.example/Org/repo"],
    ["ssh://git@host.example:2222/org/group/repo.git", "host.example/org/group/repo"],
    ["git://host.example/org/repo", "host.example/org/repo"],
    ["host.example:org/repo", "host.example/org/repo"],
    ["  git@host.example:org/repo.git\n", "host.example/org/repo"],
  ])("of %j is %s", (remote, key) => {
    expect(projectKeyOfRemote(remote)).toBe(key);
  });

  it.each(["", "/srv/git/repo.git", "../repo", "file:///srv/git/repo", "https://", "https://host.example/", "repo"])(
    "is not made of %j",
    (remote) => {
      expect(projectKeyOfRemote(remote)).toBeUndefined();
    },
  );

  it("is never longer than a key may be", () => {
    expect(projectKeyOfRemote(`https://host.example/${"x".repeat(500)}`)).toHaveLength(MAX_PROJECT_KEY);
  });
});
