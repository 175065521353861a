import { describe, expect, it } from "vitest";
import { MAX_PROJECT_KEY, projectKeyOf, projectKeyOfRemote } from "./project-key.ts";

describe("a project's key", () => {
  it.each([
    ["git@Host.Example:Org/repo.git", "host.example/Org/repo"],
    ["https://host.example/Org/repo.git", "host.example/Org/repo"],
    ["https://host.example/Org/repo/", "host.example/Org/repo"],
    ["https://user@Host.example/Org/repo", "host.example/Org/repo"],
    ["https://user:secret@host.example/Org/repo.git", "host.example/Org/repo"],
    ["https://user:p@ss@host.example/Org/repo.git", "host.example/Org/repo"],
    ["https://host.example/Org/repo?token=secret#readme", "host.example/Org/repo"],
    ["ssh://git@host.example:2222/org/group/repo.git", "host.example/org/group/repo"],
    ["ssh://git@host.example:org/repo.git", "host.example/org/repo"],
    ["git+ssh://git@host.example/org/repo", "host.example/org/repo"],
    ["git://host.example/org/repo", "host.example/org/repo"],
    ["host.example:org/repo", "host.example/org/repo"],
    ["HTTPS://localhost:3000/org/repo", "localhost/org/repo"],
    ["  git@host.example:org/repo.git\n", "host.example/org/repo"],
    ["ssh://git@[2001:DB8::1]:2222/Org/repo.git", "[2001:db8::1]/Org/repo"],
    ["https://[::1]/Org/repo", "[::1]/Org/repo"],
    ["git@[2001:db8::1]:Org/repo", "[2001:db8::1]/Org/repo"],
  ])("of the remote %j is %s, stated or detected", (remote, key) => {
    expect([projectKeyOfRemote(remote), projectKeyOf(remote)]).toEqual([key, key]);
  });

  it.each([
    ["Host.Example/Org/repo", "host.example/Org/repo"],
    ["host.example/Org/repo.git/", "host.example/Org/repo"],
    ["host.example//Org//repo", "host.example/Org/repo"],
    ["host.example./Org/repo", "host.example/Org/repo"],
    ["//host.example/Org/repo", "host.example/Org/repo"],
    ["user:p@ss@host.example/Org/repo", "host.example/Org/repo"],
    ["gh:org/repo", "gh/org/repo"],
    ["[2001:db8::1]/Org/repo", "[2001:db8::1]/Org/repo"],
    ["cafe\u0301", "caf\u00e9"],
    [" My Project ", "My Project"],
  ])("%j is %s", (input, key) => {
    expect(projectKeyOf(input)).toBe(key);
  });

  it.each([
    ...["my-project", "Acme/Shop", "acme/shop/", "team:Alpha", "note: this/that", "GitHub.com", "*", "repo.git"],
    ...["/srv/git/Repo.git", "../Repo", ".config/App", "C:\\Work\\App", "C:/Work/App", "//server/Share"],
    ...["file:///srv/git/repo", "https://", "https://host.example/", "[REDACTED]"],
  ])("%j stays what it is", (input) => {
    expect(projectKeyOf(input)).toBe(input);
  });

  it.each(["", "/srv/git/repo.git", "../repo", "file:///srv/git/repo", "https://", "https://host.example/", "repo"])(
    "is not made of the remote %j",
    (remote) => {
      expect(projectKeyOfRemote(remote)).toBeUndefined();
    },
  );

  it("is the same when it is read once more", () => {
    for (const given of [
      "https://host/a.git.git/",
      "git@Host.Example:~me/x.git",
      "HOST.example/A/../b/.git",
      "a.b/c:d/e",
    ]) {
      const once = projectKeyOf(given);
      expect(projectKeyOf(once)).toBe(once);
    }
  });

  it("is never longer than a key may be", () => {
    expect(projectKeyOfRemote(`https://host.example/${"x".repeat(500)}`)).toHaveLength(MAX_PROJECT_KEY);
  });
});
