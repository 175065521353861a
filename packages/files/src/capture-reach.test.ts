import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CaptureReach, reachOf } from "./capture-reach.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chest-reach-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const inRoot = (path: string): string => join(root, path);
const folder = (path: string): string => {
  mkdirSync(inRoot(path), { recursive: true });
  return inRoot(path);
};
const mark = (path: string, text: string | Buffer = "") => writeFileSync(join(folder(path), ".chest-off"), text);
const isKept = (path: string, list?: string): CaptureReach =>
  reachOf(path, { key: "git.example/acme/acme" }, { CHEST_EXCLUDE: list });

/** A repository with a worktree beside it. */
function worktree(): { main: string; tree: string } {
  const main = folder("main");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.test", ...words], {
      cwd: main,
      stdio: "ignore",
    });
  git("init", "-b", "main");
  git("commit", "--allow-empty", "-m", "begun");
  git("worktree", "add", inRoot("tree"));
  return { main, tree: inRoot("tree") };
}

describe("a folder is kept out", () => {
  it("by a marker, whichever way leads to it", () => {
    const real = folder("private/clients/heron");
    mark("private");
    symlinkSync(real, inRoot("heron"));
    expect([isKept(real), isKept(inRoot("heron"))]).toEqual(["none", "none"]);
    expect(isKept(folder("public"))).toBe("all");
  });

  it("by a list, whichever way the list or the session takes", () => {
    const real = folder("disk/clients/heron");
    symlinkSync(inRoot("disk/clients"), inRoot("clients"));
    for (const path of [real, inRoot("clients/heron")])
      for (const list of [inRoot("clients"), inRoot("disk/clients"), inRoot("clients/"), inRoot("clients/*")])
        expect(isKept(path, list)).toBe("none");
    expect(isKept(real, inRoot("clients/egret"))).toBe("all");
  });

  it("in each worktree of a repository that is", () => {
    const { main, tree } = worktree();
    const inside = folder("tree/packages/ledger");
    expect([isKept(tree), isKept(inside, inRoot("other"))]).toEqual(["all", "all"]);
    expect([isKept(tree, main), isKept(inside, join(main, "packages"))]).toEqual(["none", "none"]);
    mark("main/packages", "capture");
    expect([isKept(tree), isKept(inside)]).toEqual(["all", "show"]);
    mark("main");
    expect([isKept(tree), isKept(folder("tree/apps"))]).toEqual(["none", "none"]);
  });

  it.each([
    ["nothing", "", "none"],
    ["a word", "capture", "show"],
    ["a word with a byte-order mark", "\uFEFFcapture\r\n", "show"],
    ["a word of two bytes a letter", Buffer.from("\uFEFFCapture\r\n", "utf16le"), "show"],
    ["another word", "recapture everything", "none"],
  ] as const)("by a marker with %s in it", (_, text, reach) => {
    mark("acme", text);
    expect(isKept(folder("acme/src"))).toBe(reach);
  });

  it("by a marker that leads nowhere, or is a folder", () => {
    symlinkSync(inRoot("nowhere"), join(folder("a"), ".chest-off"));
    folder("b/.chest-off");
    expect([isKept(inRoot("a")), isKept(inRoot("b"))]).toEqual(["none", "none"]);
  });

  it.each([
    "git.example/other\ngit.example/acme/acme",
    "\uFEFFgit.example/other\r\ngit.example/acme/acme\r\n",
    '"git.example/acme/*", ~/private',
    "'git.example/acme/acme'",
    "git@git.example:acme/acme.git",
  ])("by a list that is written as %j", (list) => {
    expect(isKept(folder("acme"), list)).toBe("none");
  });
});
