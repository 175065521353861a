import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readProject } from "./project.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "chest-home-"));
});

afterEach(() => rm(home, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
}

/** As it is on a machine whose own configuration says nothing. */
const ENV = { GIT_CONFIG_NOSYSTEM: "1" };
const read = (path = "") => readProject(join(home, path), ENV, home);
const CONFIG = `[core]
	bare = false
[remote "upstream"]
	url = https://git.example/upstream/repo
[remote "origin"]
	; url = https://git.example/commented/out
	url = git@Git.Example:Org/repo.git # ours
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
`;

it("is the remote of the repository around the folder", async () => {
  await put("code/repo/.git/config", CONFIG);
  await mkdir(join(home, "code/repo/src/deep"), { recursive: true });

  expect(read("code/repo/src/deep")).toBe("git.example/Org/repo");
});

it("is that of the main repository in a worktree", async () => {
  await put("repo/.git/config", CONFIG);
  await put("repo/.git/worktrees/w/commondir", "../..\n");
  await put("elsewhere/w/.git", `gitdir: ${join(home, "repo/.git/worktrees/w")}\n`);

  expect(read("elsewhere/w")).toBe("git.example/Org/repo");
});

it("is the submodule's own in a submodule", async () => {
  await put("repo/.git/config", CONFIG);
  await put("repo/.git/modules/sub/config", '[remote "origin"]\nurl = "https://user@git.example:8443/Org/sub.git"\n');
  await put("repo/sub/.git", "gitdir: ../.git/modules/sub\n");

  expect(read("repo/sub")).toBe("git.example/Org/sub");
});

it("is the root folder's name without a remote that is one", async () => {
  await put("plain/.git/config", "[core]\nbare = false\n");
  await put("local/.git/config", '[remote "origin"]\nurl = /srv/git/repo.git\n');
  await put("broken/.git", "gitdir: /nowhere/at/all\n");
  await mkdir(join(home, "plain/src"), { recursive: true });
  await mkdir(join(home, "none/src"), { recursive: true });

  expect(read("plain/src")).toBe("plain");
  expect(read("local")).toBe("local");
  expect(read("broken")).toBe("broken");
  expect(read("none/src")).toBe("src");
});

it("is none at home, whatever repository is there, nor at the root", async () => {
  await put(".git/config", CONFIG);
  await mkdir(join(home, "notes"));

  expect(read()).toBeUndefined();
  expect(readProject("/", ENV, home)).toBeUndefined();
  expect(read("notes")).toBe("notes");
});
