import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { planFiles, readGitState, readHead } from "./git-state.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-git-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"];
const git = (...args: string[]) => execFileSync("git", [...AUTHOR, ...args], { cwd: dir, encoding: "utf8" }).trim();
const write = (name: string, text = "x") => writeFileSync(join(dir, name), text);

function repository() {
  git("init", "-q", "-b", "main");
  write("a.ts");
  git("add", ".");
  git("commit", "-qm", "one");
  return git("rev-parse", "HEAD");
}

describe("the state of a repository", () => {
  it("is its commit, branch, what was changed and what was stashed", async () => {
    const commit = repository();
    expect(await readGitState(dir)).toEqual({ commit, branch: "main", dirty: 0 });
    write("a.ts", "y");
    git("stash");
    write("a.ts", "z");
    write("b c.ts");
    expect(await readGitState(dir)).toEqual({
      commit,
      branch: "main",
      stashes: 1,
      dirty: 2,
      changed: ["a.ts", "b c.ts"],
    });
  });

  it("is read below its root, from packed references, in a worktree and on no branch", async () => {
    const commit = repository();
    git("pack-refs", "--all");
    mkdirSync(join(dir, "src"));
    expect(readHead(join(dir, "src"))).toMatchObject({ commit, branch: "main" });
    git("worktree", "add", "-q", "-b", "other", join(dir, "tree"));
    expect(readHead(join(dir, "tree"))).toMatchObject({ commit, branch: "other" });
    git("checkout", "-q", "--detach");
    expect(readHead(dir)).toEqual({ commit });
  });

  it("has no commit before the first, and is none of a bare repository or a plain folder", async () => {
    expect(await readGitState(dir)).toBeUndefined();
    git("init", "-q", "--bare", "bare.git");
    expect(await readGitState(join(dir, "bare.git"))).toBeUndefined();
    git("init", "-q", "-b", "trunk");
    expect(await readGitState(dir)).toMatchObject({ branch: "trunk" });
    expect(await readGitState(dir)).not.toHaveProperty("commit");
  });

  it("is told without its changes where git is late, and does not end when it is told to", async () => {
    const commit = repository();
    const bin = join(dir, "bin");
    mkdirSync(bin);
    // Its child outlives it and keeps its output open.
    writeFileSync(join(bin, "git"), "#!/bin/sh\nsleep 20 &\nwait\n", { mode: 0o755 });
    vi.stubEnv("PATH", `${bin}${delimiter}${process.env.PATH}`);
    expect(await readGitState(dir)).toEqual({ commit, branch: "main" });
    vi.unstubAllEnvs();
  });

  it("runs nothing that the repository names", async () => {
    repository();
    git("config", "core.fsmonitor", `touch ${join(dir, "ran")}; false`);
    write("a.ts", "y");
    expect(await readGitState(dir)).toMatchObject({ changed: ["a.ts"] });
  });
});

it("names plan and task files of the last month, the latest first", () => {
  for (const name of ["PLAN.md", "todo.md", "tasks-2026.md", "planet.md", "plan.ts", "old-plan.md"]) write(name);
  const at = (name: string, days: number) => {
    const then = Date.now() / 1000 - days * 86_400;
    utimesSync(join(dir, name), then, then);
  };
  at("todo.md", 1);
  at("PLAN.md", 2);
  at("tasks-2026.md", 40);
  expect(planFiles(dir)).toEqual(["todo.md", "PLAN.md"]);
  expect(planFiles(join(dir, "nowhere"))).toEqual([]);
});
