import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readGitHead } from "./git-head.ts";

const ONE = "1".repeat(40);
const TWO = "2".repeat(40);
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "chest-git-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

it("reads branch and commit, loose or packed, from a folder within", () => {
  put("repo/.git/HEAD", "ref: refs/heads/feature/x\n");
  put("repo/.git/packed-refs", `# pack-refs with: peeled\n${ONE} refs/heads/feature/x\n`);
  put("repo/src/a.ts", "");
  expect(readGitHead(join(home, "repo/src"))).toEqual({ branch: "feature/x", commit: ONE });
  put("repo/.git/refs/heads/feature/x", `${TWO}\n`);
  expect(readGitHead(join(home, "repo"))).toEqual({ branch: "feature/x", commit: TWO });
});

it("reads a detached head, a worktree's own, and a repository without a commit", () => {
  put("detached/.git/HEAD", ONE);
  expect(readGitHead(join(home, "detached"))).toEqual({ commit: ONE });
  put("main/.git/refs/heads/w", TWO);
  put("main/.git/worktrees/w/HEAD", "ref: refs/heads/w");
  put("main/.git/worktrees/w/commondir", "../..");
  put("w/.git", `gitdir: ${join(home, "main/.git/worktrees/w")}`);
  expect(readGitHead(join(home, "w"))).toEqual({ branch: "w", commit: TWO });
  put("new/.git/HEAD", "ref: refs/heads/main");
  expect(readGitHead(join(home, "new"))).toEqual({ branch: "main" });
});
